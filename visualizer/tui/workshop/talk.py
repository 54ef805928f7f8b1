"""What the workshop has to ask: under which name to save, what to do with work that isn't saved, and
whose text counts where the file has changed on disk.

No answer loses a text without saying so, and what takes an editor's text away can be undone there.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from visualizer.messages import N_, _
from visualizer.personal.drafts import Damaged, Draft, left_behind
from visualizer.tui.dialogs.question import QuestionScreen, Reply
from visualizer.tui.dialogs.saving import save_as
from visualizer.tui.stepper.changed_notice import ChangedNotice
from visualizer.workshop.session import Edited
from visualizer.workshop.text_diff import differences
from visualizer.workshop.text_file import is_ours_to_write

if TYPE_CHECKING:
    from visualizer.tui.workshop.screen import WorkshopScreen

_FOUND = (
    Reply("recover", "r", N_("recover it")),
    Reply("discard", "t", N_("throw it away")),
    Reply("later", "l", N_("later")),
)
_LEAVING = (
    Reply("save", "s", N_("save")),
    Reply("later", "k", N_("keep for next time")),
    Reply("discard", "t", N_("throw away")),
    Reply("back", "g", N_("go back")),
)


class Talk:
    """The questions of one workshop, each a coroutine of a worker of its screen."""

    def __init__(self, screen: WorkshopScreen) -> None:
        self._screen = screen
        self._warned: set[str] = set()

    def warn(self, text: str) -> None:
        self._screen.notify(text, severity="warning", markup=False)

    def warn_once(self, text: str) -> None:
        if text not in self._warned:
            self._warned.add(text)
            self.warn(text)

    def introduce(self, file: Edited) -> None:
        """What there is to know about a file before one edits it."""
        if file.disk.why_fixed:
            self.warn(
                _("{name} can't be edited: {why}.").format(
                    name=file.path.name, why=file.disk.why_fixed
                )
            )
        elif file.disk.note:
            self.warn(file.disk.note)

    def reset(self, file: Edited) -> None:
        """Back to the file as it is on disk."""
        if file.unsaved:
            self.replace_text(file, file.disk.text)
            self._screen.notify(_("This is the file as it is on disk. Ctrl+Z brings yours back."))

    def replace_text(self, file: Edited, text: str) -> None:
        """Another text for a file, which can be undone in its editor."""
        file.text = text
        editor = self._screen.editors.of(file.path)
        if editor is not None:
            editor.put(text)
        self._screen.attempt_anew()

    async def save(self, file: Edited) -> bool:
        """Write a text to its file, or to a copy where the file is not the user's to change. Gives
        whether it is on disk now."""
        if file.disk.why_fixed:
            self.warn(
                _("{name} can't be saved from here: {why}.").format(
                    name=file.path.name, why=file.disk.why_fixed
                )
            )
            return False
        if not is_ours_to_write(file.path):
            return await self._save_copy(file)
        if file.changed_on_disk():
            self._notice.look_again()
            self.warn(
                _("{name} has changed on disk: F9 takes theirs, F10 keeps yours.").format(
                    name=file.path.name
                )
            )
            return False
        try:
            file.save()
        except (OSError, UnicodeError) as error:
            self.warn(
                _("{name} can't be written: {error}").format(name=file.path.name, error=error)
            )
            return False
        self._screen.saved(file.path, file.path)
        return True

    async def _save_copy(self, file: Edited) -> bool:
        old, source = file.path, self._screen.session.source
        why = _(
            "{name} comes with Unfold, or can't be written. Your text goes into a copy, which is "
            "edited from then on:"
        ).format(name=old.name)
        folder = source.parent if is_ours_to_write(source) else Path.cwd()
        return await self._save_elsewhere(file, _("Save a copy"), why, folder / old.name)

    async def save_as(self, file: Edited) -> bool:
        """Write a text to a new file, which is edited from then on. Gives whether that was done."""
        why = _("The new file is edited from then on; {name} stays as it is on disk.").format(
            name=file.path.name
        )
        return await self._save_elsewhere(file, _("Save as"), why, file.path)

    async def _save_elsewhere(self, file: Edited, title: str, why: str, suggestion: Path) -> bool:
        old, source = file.path, self._screen.session.source
        path = await self._screen.app.push_screen_wait(save_as(title, why, suggestion))
        if path is None:
            return False
        try:
            file.save_as(path)
        except (OSError, UnicodeError) as error:
            self.warn(_("{path} can't be written: {error}").format(path=path, error=error))
            return False
        self._screen.saved(old, path)
        if old != source and path != source.parent / old.name:
            self.warn(
                _(
                    "{name} goes on including {old}. Save {name} as a copy too, and this one beside it."
                ).format(name=source.name, old=old)
            )
        return True

    async def leave(self) -> None:
        """Back to where the reader came from."""
        files = [f for f in self._screen.session.files.values() if f.unsaved]
        if files:
            answer = await self._ask(_("Not saved yet"), _changes(files), _LEAVING)
            if answer == "back" or (answer == "save" and not await self._save_all(files)):
                return
            if answer == "discard":
                for file in files:
                    self.replace_text(file, file.disk.text)
        await self._screen.end()

    async def _save_all(self, files: Iterable[Edited]) -> bool:
        for file in files:
            if not await self.save(file):
                return False
        return True

    async def offer_drafts(self, paths: Sequence[Path]) -> None:
        """Work on these files that was left behind, by a crash or on purpose."""
        for path in paths:
            for draft in left_behind(path):
                try:
                    await self._offer(path, draft)
                except (Damaged, OSError) as error:
                    draft.release()
                    self.warn(f"{path.name}: {error}")

    async def _offer(self, path: Path, draft: Draft) -> None:
        kept = draft.kept()
        file = self._screen.session.edit(path)
        if kept.text == file.disk.text:
            draft.discard()
            return
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(kept.time))
        said = _("{name} has work of {when} that was never saved. What it changes:\n\n").format(
            name=path.name, when=when
        )
        text = Content(said) + _difference(file.disk.text, kept.text)
        answer = await self._ask(_("Unsaved work"), text, _FOUND, unasked=True)
        if answer == "discard":
            draft.discard()
        elif answer == "later":
            draft.release()
        else:
            file.draft.discard()
            file.draft = draft
            await self._screen.open(path)
            self.replace_text(file, kept.text)

    # ------------------------------------------------------------------ what others do to the files

    @property
    def _notice(self) -> ChangedNotice:
        return self._screen.query_one(ChangedNotice)

    def disk_changed(self, paths: Sequence[Path]) -> None:
        """A text that nobody has touched here follows its file; for another one, the reader decides."""
        session = self._screen.session
        undisputed = [path for path in paths if path not in session.unsaved()]
        for path in undisputed:
            if path in session.files:
                self.take_theirs(session.files[path])
        if undisputed:
            self._notice.accept(undisputed)
            self._screen.attempt_anew(disk_changed=True)

    def take_theirs(self, file: Edited) -> None:
        """The file's text into the editor, from where it can be undone."""
        file.reread()
        if file.disk.seen.stamp is None:
            self.warn(
                _("{name} was removed. Your text is still here: Ctrl+S writes it.").format(
                    name=file.path.name
                )
            )
            return
        self.replace_text(file, file.disk.text)
        self._screen.may_be_edited(file)
        self._screen.own_kernels.changed_by_others(file.path)
        self._screen.notify(
            _("{name} was read from disk again.").format(name=file.path.name), markup=False
        )

    def settle(self, theirs: bool) -> None:
        """The reader has decided about the files in the notice."""
        changed = self._notice.changed
        for path in changed:
            file = self._screen.session.files.get(path)
            if file is not None and theirs:
                self.take_theirs(file)
            elif file is not None:
                file.reread()
        self._notice.accept(changed)
        self._screen.attempt_anew(disk_changed=True)

    async def _ask(
        self, title: str, text: Content, answers: Sequence[Reply], unasked: bool = False
    ) -> str:
        question = QuestionScreen(title, text, answers, unasked)
        return await self._screen.app.push_screen_wait(question)


def _changes(files: Sequence[Edited]) -> Content:
    parts = []
    for file in files:
        parts.append(Content.styled(str(file.path.name), "bold"))
        parts.append(_difference(file.disk.text, file.text))
    return Content("\n").join(parts)


def _difference(old: str, new: str) -> Content:
    styles = {"+": "$success", "−": "$error"}
    rows = (Content.styled(row, styles.get(row[0], "$quiet")) for row in differences(old, new))
    return Content("\n").join(rows)
