"""Addresses in what tools print: every wording, every age, wrapped or not."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapir_replay.app.launch.uri_scan import (
    By,
    Sighting,
    UriScanner,
    address_in_file,
    last_address,
)

CODE = "8fIA7bGAav0="
WS = f"ws://127.0.0.1:44255/{CODE}/ws"


def sightings(text: str) -> list[Sighting]:
    scanner = UriScanner()
    found = [scanner.take(line) for line in text.split("\n")]
    return [each for each in found if each is not None]


FORMS = {
    "an old VM": (f"Observatory listening on http://127.0.0.1:44255/{CODE}/", By.VM, ""),
    "a VM": (f"The Dart VM service is listening on http://127.0.0.1:44255/{CODE}/", By.VM, ""),
    "a device's log": (
        f"I/flutter (12345): The Dart VM service is listening on http://127.0.0.1:44255/{CODE}/",
        By.VM,
        "",
    ),
    "the old tool": (
        "An Observatory debugger and profiler on Pixel 5 is available at: "
        f"http://127.0.0.1:44255/{CODE}/",
        By.TOOL,
        "Pixel 5",
    ),
    "the tool": (
        f"A Dart VM Service on Linux is available at: http://127.0.0.1:44255/{CODE}/",
        By.TOOL,
        "Linux",
    ),
    "a device with all sorts of letters": (
        "A Dart VM Service on Zoë's iPhone 15.2 (mobile) • 手机 is available at: "
        f"http://127.0.0.1:44255/{CODE}/",
        By.TOOL,
        "Zoë's iPhone 15.2 (mobile) • 手机",
    ),
    "the web without a slash": (
        f"A Dart VM Service on Chrome is available at: http://127.0.0.1:44255/{CODE}",
        By.TOOL,
        "Chrome",
    ),
    "the web's debug service": (f"Debug service listening on {WS}", By.TOOL, ""),
    "the web's other line": (f"This app is linked to the debug service: {WS}", By.TOOL, ""),
    "an editor's console": (f"Connecting to VM Service at {WS}", By.TOOL, ""),
    "older DevTools": (
        "The Flutter DevTools debugger and profiler on Linux is available at: "
        f"http://127.0.0.1:9101?uri=http://127.0.0.1:44255/{CODE}/",
        By.DEVTOOLS,
        "",
    ),
    "newer DevTools": (
        "The Flutter DevTools debugger and profiler on Linux is available at: "
        f"http://127.0.0.1:44255/{CODE}/devtools/?uri=ws://127.0.0.1:44255/{CODE}/ws",
        By.DEVTOOLS,
        "",
    ),
    "DevTools with an escaped query": (
        "The Flutter DevTools debugger and profiler on Linux is available at: "
        f"http://127.0.0.1:9101?uri=http%3A%2F%2F127.0.0.1%3A44255%2F{CODE.replace('=', '%3D')}%2F",
        By.DEVTOOLS,
        "",
    ),
    "all interfaces": (
        f"The Dart VM service is listening on http://0.0.0.0:44255/{CODE}/",
        By.VM,
        "",
    ),
    "in colours": (
        f"\x1b[32mA Dart VM Service on Linux is available at:\x1b[0m \x1b[4mhttp://127.0.0.1:44255"
        f"/{CODE}/\x1b[0m",
        By.TOOL,
        "Linux",
    ),
    "a full stop at the end": (
        f"The Dart VM service is listening on http://127.0.0.1:44255/{CODE}/.",
        By.VM,
        "",
    ),
    "wrapped before the address": (
        f"A Dart VM Service on Linux is available at:\nhttp://127.0.0.1:44255/{CODE}/",
        By.TOOL,
        "Linux",
    ),
    "wrapped in the words": (
        "A Dart VM Service on sdk gphone64 x86 64 (mobile) is available\n"
        f"at: http://127.0.0.1:44255/{CODE}/",
        By.TOOL,
        "sdk gphone64 x86 64 (mobile)",
    ),
    "wrapped twice": (
        "A Dart VM Service on an emulator with a long name\nis available at:\n"
        f"http://127.0.0.1:44255/{CODE}/",
        By.TOOL,
        "an emulator with a long name",
    ),
    "an old VM's, wrapped": (
        f"Observatory listening on\nhttp://127.0.0.1:44255/{CODE}/",
        By.VM,
        "",
    ),
    "a DevTools link cut in the middle": (
        "The Flutter DevTools debugger and profiler on Linux is available at:\n"
        "http://127.0.0.1:9101?uri=http://127.0.0.1:44255/8fIA7\nbGAav0=/",
        By.DEVTOOLS,
        "",
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form(form: str) -> None:
    text, by, device = FORMS[form]
    assert sightings(text) == [Sighting(WS, by, device)]


@pytest.mark.parametrize(
    ("text", "uri"),
    [
        (
            "The Dart VM service is listening on http://[::1]:37113/abc=/",
            "ws://[::1]:37113/abc=/ws",
        ),
        ("The Dart VM service is listening on http://[::]:37113/abc=/", "ws://[::1]:37113/abc=/ws"),
        ("The Dart VM service is listening on http://127.0.0.1:44549/", "ws://127.0.0.1:44549/ws"),
        (
            "Debug service listening on wss://example.dev:443/abc=/ws",
            "wss://example.dev:443/abc=/ws",
        ),
    ],
)
def test_addresses_of_other_kinds(text: str, uri: str) -> None:
    assert [each.uri for each in sightings(text)] == [uri]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Launching lib/main.dart on Linux in debug mode...",
        "The Dart Tooling Daemon is available at: ws://127.0.0.1:5000/TOKEN=",
        "The Dart Tooling Daemon is available at:\nws://127.0.0.1:5000/TOKEN=",
        "A Dart VM Service on Linux is available at:\n"
        "The Dart Tooling Daemon is available at: ws://127.0.0.1:5000/TOKEN=",
        "The Flutter DevTools debugger and profiler on Linux is available at: http://127.0.0.1:9101",
        "The Flutter DevTools debugger and profiler on Linux is available at:\n"
        "http://127.0.0.1:9101?uri=http://127.0.0.1:44255/8fIA7\nApplication finished.",
        "Dart VM version: 3.7.3 (stable)",
        "Serving at http://127.0.0.1:8080/ for you",
        "Could not start Dart VM service HTTP server:",
        "Failed to bind Dart VM service HTTP server to port 18181. Falling back to automatic port"
        " selection",
        "Dart VM service no longer listening on http://127.0.0.1:44255/8fIA7bGAav0=/",
        "A Dart VM Service on Linux is available at: not yet",
    ],
)
def test_lines_that_tell_none(text: str) -> None:
    assert sightings(text) == []


def test_the_service_comes_before_devtools_and_the_daemon_is_passed_over() -> None:
    text = f"""\
Launching lib/main.dart on Linux in debug mode...
The Dart Tooling Daemon is available at: ws://127.0.0.1:5000/TOKEN=
r Hot reload.
A Dart VM Service on Linux is available at: http://127.0.0.1:44255/{CODE}/
The Flutter DevTools debugger and profiler on Linux is available at: http://127.0.0.1:9101?uri={WS}
"""
    assert [each.by for each in sightings(text)] == [By.TOOL, By.DEVTOOLS]
    assert {each.uri for each in sightings(text)} == {WS}


def test_several_devices_are_told_one_by_one() -> None:
    text = """\
A Dart VM Service on Pixel 8 is available at: http://127.0.0.1:1111/a=/
A Dart VM Service on Linux is available at: http://127.0.0.1:2222/b=/
"""
    assert [(each.device, each.uri) for each in sightings(text)] == [
        ("Pixel 8", "ws://127.0.0.1:1111/a=/ws"),
        ("Linux", "ws://127.0.0.1:2222/b=/ws"),
    ]


def test_of_a_whole_log_the_last_run_counts() -> None:
    lines = [
        "A Dart VM Service on Chrome is available at: http://127.0.0.1:1/a=",
        "Application finished.",
        "Debug service listening on ws://127.0.0.1:2/b=/ws",
        "The Flutter DevTools debugger and profiler on Chrome is available at: "
        "http://127.0.0.1:9101?uri=http://127.0.0.1:2/b=/",
    ]
    found = last_address(lines)
    assert found == Sighting("ws://127.0.0.1:2/b=/ws", By.TOOL, "")
    assert last_address(["nothing"]) is None


@pytest.mark.parametrize(
    ("content", "uri"),
    [
        ('{"uri":"http://127.0.0.1:44255/8fIA7bGAav0=/"}', WS),
        ("ws://127.0.0.1:44255/8fIA7bGAav0=/ws", WS),
        ("ws://127.0.0.1:44255/8fIA7bGAav0=", WS),
        ("http://127.0.0.1:44255/8fIA7bGAav0=/\r\n", WS),
        ("http://127.0.0.1:44549/", "ws://127.0.0.1:44549/ws"),
        ("", None),
        ('{"uri":"http://127.0.0.1:44255/8fIA', None),
        ('{"uri":7}', None),
        ("{}", None),
        ("ws://127.0.0.1:44", None),
        ("ws://127.0.0.1:44255/8fIA7", None),
        ("no address at all", None),
        ("[1]", None),
    ],
)
def test_a_file_that_was_written(content: str, uri: str | None) -> None:
    found = address_in_file(content)
    assert (found.uri if found else None) == uri


@given(st.lists(st.text(max_size=120), max_size=12))
def test_no_line_breaks_the_scanner(lines: list[str]) -> None:
    scanner = UriScanner()
    for line in lines:
        found = scanner.take(line)
        assert found is None or found.uri.startswith(("ws://", "wss://"))


device_names = st.text(string.ascii_letters + string.digits + " .()'é", min_size=1, max_size=40)


@given(
    device=device_names.map(str.strip).filter(bool),
    port=st.integers(1, 65535),
    code=st.text(string.ascii_letters + string.digits + "-_", min_size=1, max_size=16),
    breaks=st.sets(st.integers(2, 12), max_size=2),
)
def test_wherever_a_terminal_breaks_the_line(
    device: str, port: int, code: str, breaks: set[int]
) -> None:
    words = (
        f"A Dart VM Service on {device} is available at: http://127.0.0.1:{port}/{code}=/".split()
    )
    text = ""
    for index, word in enumerate(words):
        text += "" if not index else "\n" if index > 3 and index in breaks else " "
        text += word
    assert [each.uri for each in sightings(text)] == [f"ws://127.0.0.1:{port}/{code}=/ws"]
