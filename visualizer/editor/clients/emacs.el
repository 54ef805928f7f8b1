;;; Unfold in Emacs 29 or later (28 with eglot installed), by eglot, which speaks with one server in a
;;; buffer:
;;; M-x unfold-mode-server starts Unfold's where clangd's would start.
;;; M-x unfold-step shows the invocation at point; in that buffer n and p step, x and X expand what
;;; is at point by one level or wholly, RET puts the line as it is into the text, q leaves.

(require 'eglot)
(require 'jsonrpc)

(defvar unfold-command '("unfold" "lsp") "What starts the server, with its flags.")
(defvar-local unfold--uri nil)
(defvar-local unfold--server nil)

(defun unfold-mode-server ()
  "Have eglot start Unfold's server for C and C++."
  (interactive)
  (setf (alist-get '(c-mode c++-mode c-ts-mode c++-ts-mode) eglot-server-programs nil nil #'equal)
        unfold-command)
  (when buffer-file-name (eglot-ensure)))

(defun unfold--ask (server command &rest arguments)
  (jsonrpc-request server :workspace/executeCommand
                   (list :command command :arguments (vconcat arguments))))

(defun unfold--place ()
  (let ((place (eglot--pos-to-lsp-position)))
    (list :line (plist-get place :line) :character (plist-get place :character))))

(defun unfold--units (server text)
  "How long TEXT is in what SERVER counts: UTF-16 code units, if nothing else was agreed on."
  (pcase (plist-get (eglot--capabilities server) :positionEncoding)
    ("utf-32" (length text))
    ("utf-8" (length (encode-coding-string text 'utf-8)))
    (_ (/ (length (encode-coding-string text 'utf-16le)) 2))))

(defun unfold--at (server line unit)
  "The position UNIT units behind the beginning of LINE, from 0, of this buffer."
  (save-excursion
    (goto-char (point-min))
    (forward-line line)
    (let ((start (point)))
      (while (and (not (eolp)) (< (unfold--units server (buffer-substring start (point))) unit))
        (forward-char))
      (point))))

(defun unfold--show (server shown)
  (if (null shown) (message "No macro is invoked here")
    (with-current-buffer (get-buffer-create "*unfold*")
      (let ((inhibit-read-only t) (at (point)))
        (erase-buffer)
        (insert (plist-get shown :text))
        (unless (derived-mode-p 'unfold-view-mode) (unfold-view-mode))
        (setq unfold--uri (plist-get shown :uri) unfold--server server)
        (seq-doseq (changed (plist-get shown :changed))
          (let ((line (plist-get changed :line)))
            (put-text-property (unfold--at server line (plist-get changed :start))
                               (unfold--at server line (plist-get changed :end))
                               'face 'highlight)))
        (goto-char (min at (point-max))))
      (pop-to-buffer (current-buffer)))))

(defun unfold--begin (command &rest more)
  (let ((server (eglot-current-server)))
    (unless server (user-error "No server: M-x unfold-mode-server"))
    (unfold--show server (apply #'unfold--ask server command
                                (plist-get (eglot--TextDocumentIdentifier) :uri)
                                (unfold--place) more))))

(defun unfold-step () "Step through the invocation at point." (interactive)
       (unfold--begin "unfold.step"))
(defun unfold-expand () "Expand it by one level." (interactive)
       (unfold--begin "unfold.expand" "level"))
(defun unfold-expand-whole () "Expand it wholly." (interactive)
       (unfold--begin "unfold.expand" "whole"))

(defun unfold--move (command &rest more)
  (unfold--show unfold--server (apply #'unfold--ask unfold--server command unfold--uri more)))

(defun unfold--in-view ()
  (list :line (1- (line-number-at-pos))
        :character (unfold--units unfold--server
                                  (buffer-substring (line-beginning-position) (point)))))

(define-derived-mode unfold-view-mode special-mode "Unfold"
  "An invocation that steps."
  (setq header-line-format
        "n next · p back · x one level here · X wholly · RET into the text · q close"))
(define-key unfold-view-mode-map "n" (lambda () (interactive) (unfold--move "unfold.next")))
(define-key unfold-view-mode-map "p" (lambda () (interactive) (unfold--move "unfold.back")))
(define-key unfold-view-mode-map "x"
  (lambda () (interactive) (unfold--move "unfold.expandHere" (unfold--in-view) "level")))
(define-key unfold-view-mode-map "X"
  (lambda () (interactive) (unfold--move "unfold.expandHere" (unfold--in-view) "whole")))
(define-key unfold-view-mode-map (kbd "RET")
  (lambda () (interactive) (unfold--ask unfold--server "unfold.keep" unfold--uri)))

(provide 'unfold)
