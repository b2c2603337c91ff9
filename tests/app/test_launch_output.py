"""What a launched program prints, however it is cut; and commands as they are written."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapir_replay.app.errors import LaunchFailed
from tapir_replay.app.launch.command import Command, arguments_of
from tapir_replay.app.launch.machine import Message, Progress, messages, request
from tapir_replay.app.launch.output import Output, Said

URI = "ws://127.0.0.1:44255/8fIA7bGAav0=/ws"

TRANSCRIPT = f"""\
Launching lib/main.dart on Chrome in debug mode...\r
Waiting for connection...\rWaiting for connection... 12.1s\r
[{{"event":"daemon.connected","params":{{"version":"0.6.1","pid":7}}}}]
[{{"event":"app.start","params":{{"appId":"a"}}}},{{"event":"app.later","params":{{}}}}]
[ +12 ms] a line of the verbose tool
[]
[not json
Debug service listening on {URI}
A Dart VM Service on Zoë's phone 手机 is available at:
http://127.0.0.1:44255/8fIA7bGAav0=/
[{{"event":"app.debugPort","params":{{"appId":"a","port":44255,"wsUri":"{URI}"}}}}]
[{{"id":1,"result":{{"code":0}}}},{{"id":2,"error":"method not available: x"}}]
the last line has no end""".encode()


def read(*chunks: bytes) -> list[Said]:
    output = Output()
    return [said for chunk in chunks for said in output.feed(chunk)] + output.end()


def test_a_transcript() -> None:
    said = read(TRANSCRIPT)
    assert said[-1].line == "the last line has no end"
    assert [each.sighting.uri for each in said if each.sighting] == [URI, URI]
    found = [message for each in said for message in each.messages]
    assert [each.event for each in found if each.event] == [
        "daemon.connected",
        "app.start",
        "app.later",
        "app.debugPort",
    ]
    assert [(each.id, each.error) for each in found if each.id] == [
        (1, None),
        (2, "method not available: x"),
    ]
    assert "Waiting for connection... 12.1s" in [each.line for each in said]


@given(st.lists(st.integers(0, len(TRANSCRIPT)), max_size=30))
def test_how_the_stream_is_cut_does_not_matter(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(TRANSCRIPT)]
    chunks = [TRANSCRIPT[a:b] for a, b in itertools.pairwise(edges)]
    assert read(*chunks) == read(TRANSCRIPT)


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=10))
def test_any_bytes_are_read_and_cut_alike(data: bytes, cuts: list[int]) -> None:
    edges = [0, *sorted(min(each, len(data)) for each in cuts), len(data)]
    chunks = [data[a:b] for a, b in itertools.pairwise(edges)]
    assert read(*chunks) == read(data)


def progress(*found: tuple[str, dict[str, object]]) -> Progress:
    made = Progress()
    for event, params in found:
        made.take(Message(event=event, params=params))
    return made


def test_the_port_message_tells_the_address() -> None:
    made = progress(
        ("app.start", {"appId": "a"}), ("app.debugPort", {"appId": "a", "port": 1, "wsUri": URI})
    )
    assert (made.app, made.uri, made.stopped) == ("a", URI, False)


@pytest.mark.parametrize(
    ("params", "uri"),
    [
        ({"baseUri": "http://127.0.0.1:1/c=/"}, "ws://127.0.0.1:1/c=/ws"),
        ({"wsUri": "nonsense", "baseUri": "http://127.0.0.1:1/c=/"}, "ws://127.0.0.1:1/c=/ws"),
        ({"baseUri": "file:///data/app/", "port": 1}, None),
        ({"port": 1}, None),
        ({}, None),
    ],
)
def test_the_port_message_of_other_versions(params: dict[str, object], uri: str | None) -> None:
    assert progress(("app.debugPort", params)).uri == uri


def test_what_went_wrong_is_kept_once_in_the_tools_words() -> None:
    made = progress(
        ("daemon.logMessage", {"level": "status", "message": "all is well"}),
        ("daemon.logMessage", {"level": "error", "message": "it broke\n"}),
        ("app.log", {"log": "just a line"}),
        ("app.log", {"log": "a bad line", "error": True}),
        ("app.stop", {"error": "it broke"}),
    )
    assert made.complaints == ["it broke", "a bad line"]
    assert made.stopped


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[",
        "[{",
        "[]",
        '[{"id":1.5}]',
        '[{"id":1,"method":"x"}]',
        "[{}]",
        '{"event":"x"}',
        "[1]",
    ],
)
def test_lines_that_are_no_messages(line: str) -> None:
    assert messages(line) == []


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_no_json_breaks_the_reader(value: object) -> None:
    messages(json.dumps([{"event": value, "params": value, "id": value}]))


def test_a_request_is_a_line() -> None:
    assert json.loads(request(3, "app.stop", {"appId": "a"})) == [
        {"id": 3, "method": "app.stop", "params": {"appId": "a"}}
    ]
    assert request(3, "app.stop").endswith("\n")


# Commands


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("flutter run -d 'iPhone 15'", ("flutter", "run", "-d", "iPhone 15")),
        (["flutter", "run", "-d", "iPhone 15"], ("flutter", "run", "-d", "iPhone 15")),
        ("sh -c 'a && b'", ("sh", "-c", "a && b")),
    ],
)
def test_a_command_is_taken_apart(command: str | list[str], arguments: tuple[str, ...]) -> None:
    assert arguments_of(command) == arguments


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("", "the command is empty"),
        ([], "the command is empty"),
        ("flutter 'run", "cannot be read: No closing quotation"),
        ("cd app && flutter run", "is run without a shell, where `&&` means nothing"),
        (("cd", "app", "&&", "flutter", "run"), "is run without a shell, where `&&` means nothing"),
        ("flutter run > log", "where `>` means nothing"),
    ],
)
def test_a_command_that_cannot_be_run(command: str | list[str], says: str) -> None:
    with pytest.raises(LaunchFailed) as caught:
        arguments_of(command)
    assert says in caught.value.message


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("flutter run --vmservice-out-file={uri_file}", "/scratch/vm-service-uri"),
        ("flutter run --vmservice-out-file=build/uri", "/app/build/uri"),
        ("dart --write-service-info /tmp/x.json a.dart", "/tmp/x.json"),
        ("dart --write-service-info=file:///tmp/a%20b a.dart", "/tmp/a b"),
        ("flutter run", None),
        ("dart --write-service-info", None),
    ],
)
def test_the_file_that_a_command_writes_its_address_into(command: str, file: str | None) -> None:
    made = Command.of(command, Path("/scratch"), Path("/app"))
    assert made.uri_file == (Path(file) if file else None)
    assert "{uri_file}" not in str(made)


def test_what_a_command_says_of_itself() -> None:
    def made(command: str) -> Command:
        return Command.of(command, Path("/scratch"), Path("/app"))

    assert made("fvm flutter run --machine").by_flutter
    assert made("/opt/flutter/bin/flutter run").by_flutter
    assert not made("dart run").by_flutter
    assert made("flutter run --machine").machine
    assert not made("flutter run").machine
    assert len(str(made("flutter " + "x" * 500))) == 120
