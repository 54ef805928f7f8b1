"""`unfold lsp`: what the screens show, in an editor that speaks the Language Server Protocol.

A language server is asked about a text that somebody is typing. So everything here begins with a text
as it is now, and a place in it:

- `texts`: that text, and its places as editors count them. `readings`: what it expands to, kept up with
  the typing in a thread.
- `standing`: the invocation and the token at a place. On it rest `hover`, with `why_here`; `links`,
  where a name is defined and used; and `outline`, what a file registers.
- `problems`: what is wrong, and the cures that can be written into the text.
- `stepping`: an invocation as a document that moves; `in_text`, a state of it put into the file, where
  that leaves the program as it is.
- `index`: the names of a whole folder.

None of these knows the protocol. `protocol` is the server on pygls, `answers` has what it says of a
file, `actions` what it does there and `documents` those that step, and `server` puts it together;
`clients` is what each editor needs. It goes beside clangd: no completion, and of C++ no diagnostics.
Nothing of what is opened is run.
"""
