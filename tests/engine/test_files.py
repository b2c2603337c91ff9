"""Secrets and file names: whatever a text holds, no secret and no file leaves its place."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from PIL import Image

from tapir_replay.engine.artifacts import ArtifactStore, slug
from tapir_replay.engine.redact import MASK, Redactor
from tapir_replay.engine.screen import Bounds

secrets = st.text(min_size=4, max_size=40).filter(lambda each: MASK not in each)
texts = st.text(max_size=60)


@dataclass(frozen=True)
class Told:
    text: str
    number: int
    more: tuple[Any, ...] = ()


@given(secrets, texts, texts)
def test_no_text_keeps_a_secret(secret: str, before: str, after: str) -> None:
    redactor = Redactor([secret])
    cleaned = redactor.text(before + secret + after)
    assert secret not in cleaned
    assert MASK in cleaned
    assert redactor.text(cleaned) == cleaned


@given(secrets)
def test_no_form_of_it_is_kept(secret: str) -> None:
    redactor = Redactor([secret])
    raw = secret.encode("utf-8", "surrogatepass")
    for form in (
        json.dumps(secret),
        json.dumps(secret, ensure_ascii=False),
        quote(raw, safe=""),
        quote_plus(raw),
        *([base64.b64encode(raw).decode()] if len(raw) >= 6 else []),
    ):
        assert redactor.holds_secret(form)
        assert not redactor.holds_secret(redactor.text(form))
        assert redactor.leaks(form.encode("utf-8", "surrogatepass"))


@given(secrets, texts)
def test_values_of_any_shape(secret: str, text: str) -> None:
    def holding(secret: str) -> dict[str, Any]:
        told = Told(f"{text}{secret}", 3, ({"a": secret},))
        return {secret: [secret, 1, None, (secret,)], "told": told}

    assume(secret not in repr(holding(MASK)))
    cleaned = Redactor([secret]).value(holding(secret))
    assert secret not in repr(cleaned)
    assert cleaned["told"].number == 3
    assert isinstance(cleaned["told"].more, tuple)


@given(texts)
def test_without_a_secret_nothing_is_changed(text: str) -> None:
    told = Told(text, 1)
    assert Redactor().value(told) is told
    assert Redactor(["", "\0no such thing\0"]).text(text) == text
    assert not Redactor([""]).active


def test_of_two_that_overlap_the_longer_goes_first() -> None:
    assert Redactor(["abc", "abcdef"]).text("abcdef abc") == f"{MASK} {MASK}"


def test_learnt_later() -> None:
    redactor = Redactor(["one1"])
    redactor.add(["two2", "one1"])
    assert redactor.text("one1 two2") == f"{MASK} {MASK}"


# File names


@given(st.text(max_size=200))
def test_any_title_makes_a_name(title: str) -> None:
    name = slug(title)
    assert 0 < len(name) <= 80
    assert not set(name) & set('/\\:*?"<>|.\0\n\r\t ')
    assert name == name.strip()
    assert slug(name) == name or name.endswith("-")
    name.encode("utf-8")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Sign in: a/b ..", "sign-in-a-b"),
        ("..", "scenario"),
        ("", "scenario"),
        ("CON", "con-"),
        ("日本語 テスト", "日本語-テスト"),
        ("🎉", "scenario"),
        ("Ünïcode", "ünïcode"),
        ("x" * 300, "x" * 60),
    ],
)
def test_names(title: str, name: str) -> None:
    assert slug(title) == name


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=6))
def test_every_title_has_a_folder_of_its_own(titles: list[str]) -> None:
    store = ArtifactStore(Path("nowhere"), Redactor())
    folders = [store.folder_for(each) for each in [*titles, *titles]]
    assert len({each.casefold() for each in folders}) == len(folders)


names = st.one_of(
    st.text(alphabet="ab./\\:", min_size=1, max_size=12),
    st.sampled_from(["../run.jsonl", "../../run.jsonl", "/etc/x", "a/../../x", ".", "..", "a/.."]),
)


@settings(max_examples=150, deadline=None)
@given(names)
def test_no_name_leaves_the_folder(name: str) -> None:
    with tempfile.TemporaryDirectory() as top:
        root = Path(top) / "run"
        root.mkdir()
        (root / "run.jsonl").write_text("log")
        store = ArtifactStore(root, Redactor())
        folder = store.folder_for("Mine")
        with contextlib.suppress(ValueError, OSError):
            store.write_text(folder, name, "text")
        written = {each for each in Path(top).rglob("*") if each.is_file()}
        inside = {each for each in written if each.is_relative_to(root / folder)}
        assert written - inside == {root / "run.jsonl"}
        assert (root / "run.jsonl").read_text() == "log"


def test_a_name_that_is_taken(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path, Redactor())
    paths = [store.write_text("f", each, "x") for each in ("a.png", "A.png", "a.png", "b/c", "b/c")]
    assert paths == ["f/a.png", "f/A-2.png", "f/a-3.png", "f/b/c", "f/b/c-2"]


def test_what_is_written_is_masked(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path, Redactor(["hunter2"]))
    path = store.write_json("f", "a.json", {"hunter2": ["x hunter2", "\ud800"]})
    assert json.loads((tmp_path / path).read_bytes()) == {MASK: [f"x {MASK}", "\ud800"]}


def picture(kind: str = "PNG") -> str:
    out = io.BytesIO()
    Image.new("RGB", (40, 20), (255, 255, 255)).save(out, kind)
    return base64.b64encode(out.getvalue()).decode()


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_places_are_painted_over(tmp_path: Path, kind: str) -> None:
    store = ArtifactStore(tmp_path, Redactor())
    hidden = [Bounds(0, 0, 5, 5), Bounds(-100, -100, 1, 1), Bounds(15, 5, 500, 500)]
    path = store.write_picture("f", f"a.{kind.lower()}", picture(kind), hidden, scale=2)
    with Image.open(tmp_path / path) as made:
        assert (made.format, made.size) == (kind, (40, 20))
        corner, middle, end = (made.convert("L").getpixel(at) for at in ((4, 4), (20, 4), (38, 18)))
    assert corner == pytest.approx(90, abs=3)
    assert end == pytest.approx(90, abs=3)
    assert middle == pytest.approx(255, abs=3)


def test_a_picture_is_kept_as_it_is_where_nothing_is_hidden(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path, Redactor())
    encoded = picture()
    path = store.write_picture("f", "a.png", encoded)
    assert (tmp_path / path).read_bytes() == base64.b64decode(encoded)


def test_what_is_no_picture(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not valid base64"):
        ArtifactStore(tmp_path, Redactor()).write_picture("f", "a.png", "not base64!")
