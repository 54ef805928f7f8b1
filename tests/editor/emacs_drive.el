;;; Drives Emacs as a user would, and writes what was seen as JSON: run by test_emacs.py.

(require 'json)
(let* ((asked (json-read-file (getenv "UNFOLD_DRIVE")))
       (states nil) (shown nil) (marked nil) (place nil) (after nil) (undone nil))
  (load (alist-get 'client asked) nil t)
  (setq unfold-command (append (alist-get 'command asked) nil)
        eglot-sync-connect t
        eglot-connect-timeout nil
        eglot-confirm-server-initiated-edits nil
        jsonrpc-default-request-timeout nil)
  (find-file (alist-get 'file asked))
  (c++-mode)
  (unfold-mode-server)
  (unless (eglot-current-server) (call-interactively #'eglot))
  (goto-char (point-max))
  (search-backward "FOUR")
  (let ((before (buffer-string)) (source (current-buffer)))
    (unfold-step)
    (with-current-buffer "*unfold*"
      (cl-flet ((press (key)
                  (call-interactively (lookup-key unfold-view-mode-map key))
                  (goto-char (point-min))
                  (push (progn (re-search-forward ": \\([0-9]+\\) of") (match-string 1)) states)))
        (press "n")
        (goto-char (point-max))
        (search-backward "TWO")
        (setq place (plist-get (unfold--in-view) :character))
        (press "x")
        (press "p")
        (press "n")
        (setq shown (buffer-substring-no-properties (point-min) (point-max)))
        (let ((at (text-property-any (point-min) (point-max) 'face 'highlight)))
          (setq marked (buffer-substring-no-properties at (next-single-property-change at 'face))))
        (call-interactively (lookup-key unfold-view-mode-map (kbd "RET")))))
    (with-current-buffer source
      (setq after (buffer-string)))
    (with-temp-file (alist-get 'result asked)
      (insert (json-encode
               `((states . ,(vconcat (reverse states))) (shown . ,shown) (marked . ,marked)
                 (place . ,place) (keys . ,(with-current-buffer "*unfold*" header-line-format))
                 (changed . ,(if (equal before after) :json-false t)) (after . ,after)))))
    (with-current-buffer source
      (set-buffer-modified-p nil))))
