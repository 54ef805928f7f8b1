"""Textual's driver for a browser, but one that ends with its server.

Textual's own reads what the server sends, and when the server is gone it stops reading and leaves the
app running, unseen and for ever.
"""

from __future__ import annotations

import os

from textual import messages
from textual.drivers.web_driver import WebDriver

PATIENCE = 5.0  # seconds for the app to end by itself


class BrowserDriver(WebDriver):
    def run_input_thread(self) -> None:
        super().run_input_thread()
        if self.exit_event.is_set():
            return
        self._app.post_message(messages.ExitApp())
        if not self.exit_event.wait(PATIENCE):  # it computes something, for nobody
            os._exit(1)
