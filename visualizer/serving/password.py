"""Who is let in: whoever knows the password, as Jupyter does it.

Other users of a machine reach its loopback too, so that a password is asked for there as well. Unless
a file holds one, the server makes one up for itself and prints it as part of its address. It is asked
for once: a browser that knew it has a cookie from then on, with a name that this server gave out, and
that stands for its visitor too. The server signs names, and need not remember them: however many are
asked for, they take no memory.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
import stat
from pathlib import Path

from visualizer.expansion.readable import read_regular

WAIT = 1.0  # seconds that a wrong guess costs its address, which has one at a time
_LEAST, _MOST = 8, 1024  # characters of a password, bytes of its file


class PasswordError(ValueError):
    """The file holds no password. The message says why, and what to do."""


class TooFastError(Exception):
    """Another guess from this address is still being paid for."""


class Password:
    """`secret` None lets everybody in. Whether it `is_told` where the server starts, as one is that
    nobody has chosen."""

    def __init__(self, secret: str | None, is_told: bool = False) -> None:
        self.secret = secret
        self.is_told = is_told
        self._key = secrets.token_bytes()
        self._waiting: set[str] = set()

    async def is_right(self, guess: str, address: str) -> bool:
        """Whether it is the password; a wrong one is told so after a while. Raises TooFastError."""
        if self.secret is None:
            return True
        if not guess:
            return False
        if address in self._waiting:
            raise TooFastError
        if hmac.compare_digest(guess.encode("utf-8", "replace"), self.secret.encode()):
            return True
        self._waiting.add(address)
        try:
            await asyncio.sleep(WAIT)
        finally:
            self._waiting.discard(address)
        return False

    def admit(self) -> str:
        """A new name, for the cookie of a browser that is let in."""
        name = secrets.token_urlsafe(32)
        return f"{name}.{self._signature(name)}"

    def has_admitted(self, name: str | None) -> bool:
        name, _, signature = (name or "").partition(".")
        return hmac.compare_digest(
            signature.encode("utf-8", "replace"), self._signature(name).encode()
        )

    def _signature(self, name: str) -> str:
        return hmac.digest(self._key, name.encode("utf-8", "replace"), "sha256").hex()


def made_up() -> Password:
    return Password(secrets.token_urlsafe(32), is_told=True)


def from_file(path: Path) -> Password:
    """The password on the first line of a file that nobody else can read. Raises PasswordError."""
    try:
        first = read_regular(path, _MOST).decode().partition("\n")[0].strip()
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise PasswordError(f"no password can be read from {path}: {why}") from None
    if mode & (stat.S_IROTH | stat.S_IWOTH):
        raise PasswordError(f"{path} is open to all users of this machine; chmod 600 {path}")
    if len(first) < _LEAST:
        raise PasswordError(
            f"{path}: a password has at least {_LEAST} characters, on the first line"
        )
    return Password(first)
