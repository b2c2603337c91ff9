"""Addresses of a VM Service."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapir_replay.app.errors import ConnectError
from tapir_replay.app.uri import normalise, place

FORMS = {
    "http://127.0.0.1:44255/8fIA7bGAav0=/": "ws://127.0.0.1:44255/8fIA7bGAav0=/ws",
    "http://127.0.0.1:44255/8fIA7bGAav0=": "ws://127.0.0.1:44255/8fIA7bGAav0=/ws",
    "http://127.0.0.1:44255/8fIA7bGAav0%3D/": "ws://127.0.0.1:44255/8fIA7bGAav0=/ws",
    "http://127.0.0.1:44255/8fIA7bGAav0%3d": "ws://127.0.0.1:44255/8fIA7bGAav0=/ws",
    "ws://127.0.0.1:44255/8fIA7bGAav0=/ws": "ws://127.0.0.1:44255/8fIA7bGAav0=/ws",
    "ws://127.0.0.1:44255/8fIA7bGAav0=/ws/": "ws://127.0.0.1:44255/8fIA7bGAav0=/ws",
    "ws://127.0.0.1:44255/8fIA7bGAav0=//ws": "ws://127.0.0.1:44255/8fIA7bGAav0=/ws",
    "  http://localhost:8181/\n": "ws://localhost:8181/ws",
    "'http://localhost:8181'": "ws://localhost:8181/ws",
    "HTTP://LOCALHOST:8181/aB=/": "ws://localhost:8181/aB=/ws",
    "http://0.0.0.0:42839/a=/": "ws://127.0.0.1:42839/a=/ws",
    "http://[::]:37113/a=/": "ws://[::1]:37113/a=/ws",
    "http://[::1]:37113/a=/": "ws://[::1]:37113/a=/ws",
    "https://tunnel.example/a=/": "wss://tunnel.example/a=/ws",
    "wss://tunnel.example/a=/ws": "wss://tunnel.example/a=/ws",
    "http://127.0.0.1:9101?uri=http://127.0.0.1:4/a=/": "ws://127.0.0.1:4/a=/ws",
    "http://127.0.0.1:4/a=/devtools/?uri=ws://127.0.0.1:4/a=/ws": "ws://127.0.0.1:4/a=/ws",
    "http://127.0.0.1:9101/#/inspector?uri=ws%3A%2F%2F127.0.0.1%3A4%2Fa%3D%2Fws": (
        "ws://127.0.0.1:4/a=/ws"
    ),
}

REFUSED = {
    "": "'' is not the address of a VM Service: it lacks http:// or ws:// at the start",
    "8181": "'8181' is not the address of a VM Service: it lacks http:// or ws:// at the start",
    "127.0.0.1:8181/a=/": (
        "'127.0.0.1:8181/a=/' is not the address of a VM Service: "
        "it lacks http:// or ws:// at the start"
    ),
    "localhost:8181": (
        "'localhost:8181' is not the address of a VM Service: "
        "it lacks http:// or ws:// at the start"
    ),
    "sse://127.0.0.1:1/a=/": (
        "'sse://127.0.0.1:1/a=/' is not the address of a VM Service: "
        "sse:// is not a scheme of a VM Service (http, https, ws and wss are)"
    ),
    "http://": "'http://' is not the address of a VM Service: it names no host",
    "http://:8181/": "'http://:8181/' is not the address of a VM Service: it names no host",
    "http://127.0.0.1:99999/": (
        "'http://127.0.0.1:99999/' is not the address of a VM Service: Port out of range 0-65535"
    ),
    "http://[::1:8181/": (
        "'http://[::1:8181/' is not the address of a VM Service: Invalid IPv6 URL"
    ),
    "http://a b:1/": (
        "'http://a b:1/' is not the address of a VM Service: it holds a blank or a backslash"
    ),
    "http://127.0.0.1:1/a=/?x=1": (
        "'http://127.0.0.1:1/a=/?x=1' is not the address of a VM Service: "
        "it has a query, and no `uri=` in it"
    ),
    "http://me:secret@127.0.0.1:1/": (
        "'http://me:secret@127.0.0.1:1/' is not the address of a VM Service: "
        "a user name in the address means nothing to a VM Service"
    ),
    "http://127.0.0.1:9101?uri=nonsense": (
        "'nonsense' is not the address of a VM Service: it lacks http:// or ws:// at the start"
    ),
}


@pytest.mark.parametrize(("given_form", "expected"), FORMS.items())
def test_every_form_that_tools_print_is_understood(given_form: str, expected: str) -> None:
    assert normalise(given_form) == expected


@pytest.mark.parametrize(("text", "message"), REFUSED.items())
def test_anything_else_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(ConnectError) as caught:
        normalise(text)
    assert caught.value.message == message
    assert "http://127.0.0.1:44255" in caught.value.hint


CODES = st.text("ABCxyz0189_-", min_size=1, max_size=12).filter(lambda code: code != "ws")


@given(
    scheme=st.sampled_from(["http", "https", "ws", "wss"]),
    host=st.sampled_from(["127.0.0.1", "localhost", "[::1]", "10.0.2.2", "dev.example"]),
    port=st.integers(1, 65535),
    code=CODES,
    equals=st.sampled_from(["=", "%3D", "%3d"]),
    tail=st.sampled_from(["", "/", "//", "/ws", "/ws/", "//ws"]),
)
def test_all_spellings_of_one_address_become_the_same(
    scheme: str, host: str, port: int, code: str, equals: str, tail: str
) -> None:
    secure = "s" if scheme in {"https", "wss"} else ""
    found = normalise(f"{scheme}://{host}:{port}/{code}{equals}{tail}")
    assert found == f"ws{secure}://{host}:{port}/{code}=/ws"
    assert normalise(found) == found


@given(st.text())
def test_no_text_does_anything_but_pass_or_be_refused(text: str) -> None:
    try:
        found = normalise(text)
    except ConnectError:
        return
    assert found.startswith(("ws://", "wss://"))
    assert found.endswith("/ws")
    assert normalise(found) == found


def test_the_place_of_an_address_does_not_give_away_its_code() -> None:
    assert place("ws://[::1]:37113/secret=/ws") == "[::1]:37113"
