"""Perf sessions and pictures."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.contract.driver import Driver


@pytest.fixture
def perf(app: Driver) -> Iterator[Driver]:
    yield app
    app.call("perf_begin")
    app.call("perf_end")


def work(app: Driver) -> None:
    for _ in range(4):
        app.tap("Remember me")


def test_begin(perf: Driver) -> None:
    reply = perf.call("perf_begin")
    token = reply["sessionToken"]
    assert token.startswith("perf-")
    assert reply == {
        "sessionToken": token,
        "mode": "attribution",
        "phases": False,
        "livenessBaseline": reply["livenessBaseline"],
        "restartedPreviousSession": False,
    }
    again = perf.call("perf_begin", mode="timing")
    assert (again["restartedPreviousSession"], again["mode"]) == (True, "timing")
    assert again["sessionToken"] != token


@pytest.mark.parametrize("params", [{"mode": "fast"}, {"mode": "timing", "phases": "true"}])
def test_begin_refuses(perf: Driver, params: dict[str, str]) -> None:
    error = perf.refuses("perf_begin", **params)
    assert error.code == -32602
    assert error.raw["message"] == "Invalid params"


def test_a_session_without_frames_is_refused(perf: Driver) -> None:
    token = perf.call("perf_begin")["sessionToken"]
    reply = perf.call("perf_end")
    assert set(reply) == {"sessionToken", "refused", "mode", "coverage", "reason"}
    assert (reply["sessionToken"], reply["refused"]) == (token, True)
    assert reply["coverage"]["complete"] is False
    assert set(reply["coverage"]) == {
        "framesDrawn", "livenessBaseline", "livenessFinal", "complete",
    }  # fmt: skip


def test_a_report(perf: Driver) -> None:
    token = perf.call("perf_begin")["sessionToken"]
    work(perf)
    reply = perf.call("perf_end")
    assert set(reply) == {
        "sessionToken", "refused", "mode", "env", "coverage", "summary", "counters", "insights",
        "omitted",
    }  # fmt: skip
    assert (reply["sessionToken"], reply["refused"], reply["mode"]) == (token, False, "attribution")
    assert set(reply["env"]) == {
        "platform", "isWeb", "buildMode", "renderer", "semanticsEnabled", "phases",
    }  # fmt: skip
    assert set(reply["coverage"]) == {
        "framesDrawn", "framesSummarized", "framesOutsideSession", "complete", "missing",
    }  # fmt: skip
    frames = reply["summary"]["frames"]
    assert reply["summary"]["budgetMs"] == 16.7
    assert frames["count"] == frames["painted"] + frames["dropped"]
    assert set(frames["buildMs"]) == set(frames["rasterMs"]) == {"p50", "p90", "p99", "worst"}
    for block in reply["summary"]["blocksByCount"]:
        assert set(block) == {"name", "count", "perFrame"}
    assert set(reply["counters"]) == {"columns", "wind", "magic"}
    for insight in reply["insights"]:
        assert set(insight) >= {"id", "severity", "title", "evidence", "nextStep"}


def test_timing_has_frames_only(perf: Driver) -> None:
    perf.call("perf_begin", mode="timing")
    work(perf)
    reply = perf.call("perf_end")
    assert set(reply["summary"]) == {"durationMs", "budgetMs", "frames"}
    assert reply["counters"] is None


def test_end_without_begin(perf: Driver) -> None:
    perf.call("perf_begin")
    perf.call("perf_end")
    assert perf.refuses("perf_end").code == -32000


def test_insights_can_be_read_closer(perf: Driver) -> None:
    token = perf.call("perf_begin")["sessionToken"]
    work(perf)
    for insight in perf.call("perf_end")["insights"]:
        reply = perf.call("perf_insight", id=insight["id"], token=token)
        assert set(reply) == {
            "sessionToken", "id", "severity", "title", "summary", "detail", "estimatedSavingsMs",
            "nextStep",
        }  # fmt: skip
    assert perf.refuses("perf_insight").code == -32602
    assert perf.refuses("perf_insight", id="I99").code == -32000
    assert perf.refuses("perf_insight", id="I1", token="perf-0").code == -32000


def test_insights_of_a_refused_session(perf: Driver) -> None:
    perf.call("perf_begin")
    perf.call("perf_end")
    assert perf.refuses("perf_insight", id="I1").code == -32000


def test_trace(perf: Driver) -> None:
    token = perf.call("perf_begin")["sessionToken"]
    assert perf.refuses("perf_trace").code == -32000  # still open
    work(perf)
    perf.call("perf_end")
    reply = perf.call("perf_trace", token=token)
    assert set(reply) == {"sessionToken", "traceEvents", "displayTimeUnit", "otherData"}
    assert reply["displayTimeUnit"] == "ms"
    assert reply["otherData"]["sessionToken"] == token
    assert perf.refuses("perf_trace", token="perf-0").code == -32000


def test_semantics_hold_knows_two_actions(perf: Driver) -> None:
    assert perf.refuses("semantics_hold", action="drop").type == "missing_param"


def test_semantics_hold(perf: Driver) -> None:
    assert perf.refuses("semantics_hold", action="release").code == -32000
    perf.call("perf_begin")
    released = perf.call("semantics_hold")
    assert set(released) == {"action", "released", "semanticsEnabled", "heldByPlatform"}
    assert released["action"] == "release"
    assert perf.call("semantics_hold")["released"] is False
    acquired = perf.call("semantics_hold", action="acquire")
    assert set(acquired) == {"action", "acquired", "semanticsEnabled", "treeReady"}


# --- screenshots -------------------------------------------------------------------------------


def picture(app: Driver, **params: object) -> tuple[dict[str, object], Image.Image]:
    reply = app.call("screenshot", **params)
    image = Image.open(io.BytesIO(base64.b64decode(reply["base64"])))
    assert (image.width, image.height) == (reply["width"], reply["height"])
    return reply, image


@pytest.mark.parametrize(
    ("params", "answered", "held"),
    [({}, "jpeg", "JPEG"), ({"format": "png"}, "png", "PNG"), ({"format": "gif"}, "jpeg", "JPEG")],
)
def test_formats(app: Driver, params: dict[str, str], answered: str, held: str) -> None:
    reply, image = picture(app, **params)
    assert set(reply) == {"format", "base64", "width", "height"}
    assert reply["format"] == answered
    assert image.format == held
    assert (image.width, image.height) == (780, 1688)


def test_the_quality_counts_for_jpeg(app: Driver) -> None:
    low = app.call("screenshot", quality=1)["base64"]
    high = app.call("screenshot", quality=95)["base64"]
    if not app.is_dart:
        assert len(low) < len(high)
    assert app.refuses("screenshot", quality=101).code == -32000
    assert app.refuses("screenshot", quality=-1).code == -32000
    assert app.call("screenshot", quality="best")["base64"]
    assert app.call("screenshot", quality=101, format="png")["format"] == "png"


def test_of_one_widget(app: Driver) -> None:
    bounds = app.candidate("Sign in")["bounds"]
    reply, _ = picture(app, ref=app.find("Sign in"), format="png")
    assert (reply["width"], reply["height"]) == (bounds["w"] * 2, bounds["h"] * 2)
    reply, _ = picture(app, ref=app.ref('button "Sign in"'), rect="0,0,50,20")
    assert (reply["width"], reply["height"]) == (100, 40)


def test_geometry_paints_nothing(app: Driver) -> None:
    bounds = app.candidate("Sign in")["bounds"]
    reply = app.call("screenshot", ref=app.find("Sign in"), geometry="true")
    assert reply == {
        "rect": {"x": bounds["x"], "y": bounds["y"], "width": bounds["w"], "height": bounds["h"]},
        "devicePixelRatio": 2.0,
    }
    assert "base64" in app.call("screenshot", geometry="1")
    assert app.call("screenshot", geometry="true")["rect"] == {
        "x": 0, "y": 0, "width": 390, "height": 844,
    }  # fmt: skip


def test_a_rect_is_clipped_to_its_widget(app: Driver) -> None:
    """What lies beside the widget was not asked for, however far the rect goes."""
    ref = app.call("find", text="Sign in")["ref"]
    whole = app.call("screenshot", ref=ref, format="png")
    part = app.call("screenshot", ref=ref, rect="0,0,100000,100000", format="png")
    assert (part["width"], part["height"]) == (whole["width"], whole["height"])


def test_a_rect_needs_a_ref(app: Driver) -> None:
    assert app.refuses("screenshot", rect="0,0,10,10").code == -32000


@pytest.mark.parametrize("rect", ["1,2,3", "a,b,c,d", "-1,0,5,5", "0,0,0,5", "0,0,5,5,5"])
def test_a_rect_is_four_numbers(app: Driver, rect: str) -> None:
    error = app.refuses("screenshot", ref=app.find("Sign in"), rect=rect)
    assert error.type == "missing_param"
    assert '"x,y,w,h"' in error.message


def test_an_unknown_ref_has_no_picture(app: Driver) -> None:
    assert app.refuses("screenshot", ref="e999999").code == -32000
    gone = app.find("Sign in")
    app.go("/overlays")
    assert app.refuses("screenshot", ref=gone).type == "stale"


def test_a_picture_shows_the_state(app: Driver) -> None:
    before = app.call("screenshot", format="png")["base64"]
    assert app.call("screenshot", format="png")["base64"] == before
    app.tap("Remember me")
    assert app.call("screenshot", format="png")["base64"] != before
