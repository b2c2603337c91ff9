r"""The border that text crosses on its way into a report.

Titles, messages and details come from scenarios and apps and may hold anything. Each function here
makes a text fit for one kind of surface; nothing is dropped in silence but terminal sequences:
what cannot stand there is written as a visible escape (`\x1b`, `\ud800`).
"""

from __future__ import annotations

import re
import unicodedata

_ANSI = re.compile(
    r"""
    (?: \x1b\[ | \x9b ) [0-?]* [ -/]* [@-~]                     # colours, cursor: CSI ... final
  | (?: \x1b\] | \x9d ) [^\x07\x1b\x9c]* (?: \x07 | \x1b\\ | \x9c ) # titles, links: OSC ... end
  | \x1b [PX^_] [^\x1b\x9c]* (?: \x1b\\ | \x9c )                # DCS, SOS, PM, APC ... end
  | \x1b [ -/]* [0-~]                                           # all the short ones
    """,
    re.VERBOSE,
)

_NOT_XML = re.compile(
    # What XML 1.0 forbids (C0, surrogates, U+FFFE, U+FFFF), and DEL and C1, which some readers
    # drop and others take for line ends.
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"
)

_NOT_FOR_TERMINAL = re.compile(
    # As above, and what changes the direction of the text after it, or ends a line unseen.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)

_LINE_ENDS = re.compile("\r\n?")
_BLANKS = re.compile("[\t\n\x0b\x0c\r\x85\u2028\u2029]+")


def for_xml(text: str) -> str:
    """Text that may stand in XML 1.0, in an element as well as in an attribute."""
    return _bordered(text, _NOT_XML)


def for_terminal(text: str) -> str:
    """Text that a terminal shows as it is: it cannot move the cursor, colour, hide or reorder."""
    return _bordered(text, _NOT_FOR_TERMINAL).replace("\t", "    ")


def one_line(text: str) -> str:
    """The text without line breaks and tabs: each run of them becomes a blank."""
    return _BLANKS.sub(" ", text).strip()


def cap(text: str, limit: int = 1_000_000) -> str:
    """Head and tail of a text that is longer than `limit` bytes of UTF-8, else the text."""
    if len(text) * 4 <= limit:
        return text
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= limit:
        return text
    half = max(0, limit - 80) // 2  # 80 bytes hold the line between the two
    head = data[:half].decode("utf-8", "ignore")
    tail = data[len(data) - half :].decode("utf-8", "ignore")
    return f"{head}\n... {len(data) - 2 * half} of {len(data)} bytes left out ...\n{tail}"


def columns(text: str) -> int:
    """How many columns a text takes on a terminal. A joined emoji may count for more."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def shortened(text: str, limit: int) -> str:
    """The text, or as much of its start as fits `limit` columns with the mark of what was cut."""
    if columns(text) <= limit:
        return text
    kept, used = [], 1
    for character in text:
        used += _columns(character)
        if used > limit:
            break
        kept.append(character)
    return "".join(kept) + "…" if limit > 0 else ""


def _bordered(text: str, forbidden: re.Pattern[str]) -> str:
    if text.isascii() and text.isprintable():
        return text
    if "\x1b" in text or "\x9b" in text or "\x9d" in text:
        text = _ANSI.sub("", text)
    return forbidden.sub(_escape, _LINE_ENDS.sub("\n", text))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
