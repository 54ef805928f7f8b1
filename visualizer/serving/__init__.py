"""`unfold serve`: the app in a browser, for one person or a class.

A browser draws the terminal; the app runs here, a process for each visitor, started and spoken to by
textual-serve. What is ours is that a visitor is a stranger on somebody else's machine:

- `password`: who is let in. `door`: how many connections, and for how long without a word.
- `folder`: a visitor works on a copy of the served folder, without hidden files and without links that
  lead out of it. What they change is in their copy.
- `visitors`: who is here, told apart by a cookie; a reload finds its copy again, and nobody else does.
- `memory`: what they may hold together.
- `confine`: what a visitor's process may open, write and start, whichever screen asks for it.
- `app_process`: that process. It ends when its browser goes, and when the server does, however it does.
- `server`: the pages, and which requests are answered at all: those that a page of ours has sent.

This guards against whoever drives the app. It is no sandbox for code: a visitor can bring none, for
their C++ is interpreted, and the kernels that are compiled are ours.
"""
