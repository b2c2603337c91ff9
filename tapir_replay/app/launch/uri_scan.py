"""The address of a VM Service in what tools print: lines in, addresses out, no I/O.

Wordings have changed over the years, terminals wrap long lines, and other addresses stand in
between: that of a Dart Tooling Daemon (never right), and DevTools pages (right only in their
query).

>>> scanner = UriScanner()
>>> scanner.take("The Dart VM service is listening on http://127.0.0.1:44255/8fIA7bGAav0=/")
Sighting(uri='ws://127.0.0.1:44255/8fIA7bGAav0=/ws', by=<By.VM: 'vm'>, device='')
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tapir_replay.app.errors import ConnectError
from tapir_replay.app.uri import normalise


class By(StrEnum):
    """Who told an address, which decides whether it can be used as it is."""

    TOOL = "tool"
    """The flutter tool: for use from this machine."""
    VM = "vm"
    """The app itself: with a device the port is the device's, with a DDS it is not for clients."""
    DEVTOOLS = "devtools"
    """The query of a DevTools link."""
    FILE = "file"
    """A file that was asked for."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """An address, in its one form; `device` as the tool calls it, where it does."""

    uri: str
    by: By
    device: str = ""


_ADDRESS = r"(?:https?|wss?)://[^\s'\"<>]+"

_ANNOUNCED = re.compile(
    r"(?P<vm>Observatory listening on|Dart VM service is listening on)"
    r"|(?P<page>Flutter DevTools(?:,| debugger| ).{0,200}?is available at:)"
    r"|(?:Observatory debugger and profiler|Dart VM Service) on (?P<device>.{1,200}?)"
    r" is available at:"
    r"|linked to the debug service:|Debug service listening on|Connecting to VM Service at",
    re.IGNORECASE,
)
"""What comes before an address. The rest of it may be on the next line."""

_BEGUN = re.compile(
    r"(?:Observatory|Dart VM|Flutter DevTools|debug service|Connecting to VM)\b.*\Z", re.IGNORECASE
)
"""What may become an announcement when the terminal's next line is added."""

_OTHER = re.compile(r"Dart Tooling Daemon", re.IGNORECASE)

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?")
"""Colours and links of a terminal."""

_MOST_LINES = 4
"""Lines that one announcement may be wrapped into."""

_WHOLE = re.compile(r"(?:https?|wss?)://[^/?#]+(?:/|/[^?#]*=/?|(?:/[^?#]*)?/ws/?)\Z")
"""An address with its code to the end: the code ends with `=`, where there is one."""

_LONGEST = 10_000
"""Characters of a line that are looked at."""


class UriScanner:
    """Follows the lines of one stream."""

    def __init__(self) -> None:
        self._begun = ""
        self._lines = 0
        self._page = ""

    def take(self, line: str) -> Sighting | None:
        """The address that this line tells, or completes; often none."""
        text = _ESCAPES.sub("", line[:_LONGEST]).strip()
        if not text:
            return None
        if self._page:
            found, self._page = self._page_continued(text), ""
            if found is not None:
                return found
        if self._begun and not _ANNOUNCED.search(text) and not _OTHER.search(text):
            joined = f"{self._begun} {text}"
            found = self._look(joined, self._lines + 1)
            if found is not None or self._begun:
                return found
        return self._look(text, 1)

    def _look(self, text: str, lines: int) -> Sighting | None:
        """Look into a text of so many lines; remember it when it may go on."""
        self._begun, self._lines = "", 0
        announced = _ANNOUNCED.search(text)
        if announced is None:
            begun = _BEGUN.search(text)
            if begun is not None and "://" not in begun[0] and lines < _MOST_LINES:
                self._begun, self._lines = begun[0], lines
            return None
        rest = text[announced.end() :]
        address = re.match(rf"\s*({_ADDRESS})", rest)
        if address is None:
            if not rest.strip() and lines < _MOST_LINES:
                self._begun, self._lines = announced[0], lines
            return None
        if announced["page"] is not None:
            return self._of_page(address[1])
        by = By.VM if announced["vm"] is not None else By.TOOL
        return _sighting(address[1], by, announced["device"] or "")

    def _of_page(self, link: str) -> Sighting | None:
        """The service that a DevTools link is about; the link may be cut in the middle."""
        inner = _inner(link)
        if inner is None or not _WHOLE.match(inner):
            self._page = link
            return None
        return _sighting(inner, By.DEVTOOLS, "")

    def _page_continued(self, text: str) -> Sighting | None:
        if re.search(r"\s|://.*://", text):
            return None
        inner = _inner(self._page + text)
        return _sighting(inner, By.DEVTOOLS, "") if inner and _WHOLE.match(inner) else None


def last_address(lines: Iterable[str]) -> Sighting | None:
    """The last address in a whole log: earlier ones are of runs that have ended."""
    scanner = UriScanner()
    last = None
    for line in lines:
        found = scanner.take(line)
        if found is not None and (found.by is not By.DEVTOOLS or last is None):
            last = found
    return last


def address_in_file(text: str) -> Sighting | None:
    """What a file holds that was written to tell the address; None while it is not complete.

    `--write-service-info` writes `{"uri": …}`, `--vmservice-out-file` the address alone.
    """
    content = text.strip().removeprefix("\ufeff")
    if content.startswith("{"):
        try:
            decoded = json.loads(content)
        except ValueError:
            return None
        content = decoded.get("uri", "") if isinstance(decoded, dict) else ""
    if not isinstance(content, str) or not content or re.search(r"\s", content):
        return None
    return _sighting(content, By.FILE, "") if _WHOLE.match(content) else None


def _inner(link: str) -> str | None:
    found = re.search(r"[?&]uri=([^&#]+)", link)
    if found is None:
        return None
    from urllib.parse import unquote  # noqa: PLC0415 - of one line in a log

    return unquote(found[1])


def _sighting(address: str, by: By, device: str) -> Sighting | None:
    try:
        return Sighting(normalise(address.rstrip(".,;)")), by, device)
    except ConnectError:
        return None
