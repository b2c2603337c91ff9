"""A page of a real browser, by the DevTools protocol."""

from __future__ import annotations

import base64
import contextlib
import io
import json
from collections.abc import AsyncIterator, Iterator
from http import HTTPStatus
from typing import Any

import pytest
from PIL import Image

from tapir_replay.app.cdp import CdpError, Page
from tapir_replay.app.devices import DEVICES, Viewport
from tapir_replay.app.errors import AppUnreachable, CallTimeout, VerbRefused, VerbUnavailable
from tapir_replay.app.vm_app import Timeouts, VmApp
from tests.app.conftest import runner_of
from tests.app.test_vm_service import unused_port
from tests.support.chromium import Chromium
from tests.support.fake_service import SILENCE, FakeService, Fault

PAGE = (
    "data:text/html,<meta name=viewport content='width=device-width,minimum-scale=1'>"
    "<body style='margin:0;background:rgb(255,0,0)'>"
)

SHAPE = "innerWidth + 'x' + innerHeight + '@' + devicePixelRatio"


@pytest.fixture(scope="module")
def chromium(pytestconfig: pytest.Config) -> Iterator[Chromium]:
    """One browser for all tests here; each has its own session with its page."""
    runner = runner_of(pytestconfig)
    browser = Chromium()
    runner.run(browser.__aenter__())
    runner.run(_show_page(browser))
    yield browser
    runner.run(browser.stop())


async def _show_page(browser: Chromium) -> None:
    """Not by the command line: the browser would still be going there when the tests begin."""
    async with session(browser) as page:
        await page.send("Page.navigate", {"url": PAGE})
        await until(page, "document.readyState === 'complete'")


@contextlib.asynccontextmanager
async def session(browser: Chromium) -> AsyncIterator[Page]:
    page = await Page.connect(browser.port)
    try:
        yield page
    finally:
        await page.close()


async def seen(page: Page, expression: str) -> str:
    answer = await page.send("Runtime.evaluate", {"expression": expression})
    value: str = answer["result"]["value"]
    return value


async def until(page: Page, condition: str) -> None:
    """Wait until it holds in the page: the end of another session takes effect a little later."""
    look = f"const look = () => {condition} ? done() : requestAnimationFrame(look)"
    asked = {"expression": f"new Promise(done => {{ {look}; look() }})", "awaitPromise": True}
    await page.send("Runtime.evaluate", asked, timeout=5.0)


def size_of(data: str) -> tuple[int, int]:
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        return image.size


async def test_a_page_is_resized_as_long_as_the_session_lasts(chromium: Chromium) -> None:
    async with session(chromium) as second:
        async with session(chromium) as page:
            await page.resize(Viewport(321, 654, 2))
            assert await seen(second, SHAPE) == "321x654@2"
        # A headless browser keeps the size until something else changes it.
        await until(second, "devicePixelRatio === 1")


@pytest.mark.parametrize("name", ["iphone-15-pro", "pixel-8", "desktop-1440"])
async def test_a_page_believes_to_be_on_a_device(chromium: Chromium, name: str) -> None:
    device = DEVICES[name]
    async with session(chromium) as page:
        await page.emulate(device.viewport, device.user_agent)
        viewport = device.viewport
        width, height, ratio = viewport.width, viewport.height, viewport.dpr
        # The page's own wishes about its viewport are followed a frame later.
        await until(page, f"{SHAPE} === '{width}x{height}@{ratio:g}'")
        assert await seen(page, "navigator.userAgent") == device.user_agent
        assert (
            await seen(page, "String(navigator.maxTouchPoints > 0)") == str(viewport.touch).lower()
        )
        await page.reset()
        assert await seen(page, "navigator.userAgent") != device.user_agent
        assert await seen(page, "String(navigator.maxTouchPoints > 0)") == "false"


async def test_a_picture_shows_the_page(chromium: Chromium) -> None:
    async with session(chromium) as page:
        await page.resize(Viewport(120, 80))
        data = await page.screenshot("png")
        assert size_of(data) == (120, 80)
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            assert image.convert("RGB").getpixel((60, 40)) == (255, 0, 0)


async def test_a_picture_may_be_of_a_part_and_compressed(chromium: Chromium) -> None:
    async with session(chromium) as page:
        clip = {"x": 5, "y": 5, "width": 40, "height": 30}
        data = await page.screenshot("jpeg", quality=30, clip=clip)
        assert size_of(data) == (40, 30)
        assert base64.b64decode(data)[:2] == b"\xff\xd8"


async def test_a_command_that_the_browser_refuses_is_named(chromium: Chromium) -> None:
    async with session(chromium) as page:
        with pytest.raises(CdpError, match=r"^The browser refused No\.such: .*wasn't found"):
            await page.send("No.such")


async def test_a_command_has_a_deadline(chromium: Chromium) -> None:
    async with session(chromium) as page:
        forever = {"expression": "new Promise(() => 0)", "awaitPromise": True}
        with pytest.raises(CallTimeout):
            await page.send("Runtime.evaluate", forever, timeout=0.05)


async def test_a_page_is_chosen_by_its_address(chromium: Chromium) -> None:
    page = await Page.connect(chromium.port, matching="text/html")
    assert page.url.startswith("data:text/html")
    await page.close()
    with pytest.raises(AppUnreachable, match=r"has no page whose address contains 'example\.com'"):
        await Page.connect(chromium.port, matching="example.com")


async def test_a_browser_that_went_away_is_said_to_be_gone() -> None:
    async with Chromium() as browser:
        page = await Page.connect(browser.port)
        await browser.stop()
        with pytest.raises(CdpError, match="The browser's page is gone"):
            await page.send("Page.enable")
        assert page.lost
        await page.close()


async def test_a_proxy_of_the_environment_is_not_asked(
    chromium: Chromium, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ws_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{unused_port()}")
    async with session(chromium) as page:
        assert await seen(page, "location.protocol") == "data:"


async def test_no_browser_at_the_port_is_said_plainly() -> None:
    port = unused_port()
    with pytest.raises(AppUnreachable, match=f"No browser answers at port {port}") as caught:
        await Page.connect(port)
    assert "--remote-debugging-port" in caught.value.hint


@pytest.mark.parametrize("body", ["not json", "{}"])
async def test_another_server_at_the_port_is_no_browser(body: str) -> None:
    async with FakeService(before=lambda peer, _: peer.respond(HTTPStatus.OK, body)) as fake:
        with pytest.raises(AppUnreachable, match="is not a browser's debugging port"):
            await Page.connect(fake.port, host="127.0.0.1")


async def test_a_page_that_cannot_be_reached_is_reported() -> None:
    listed = [
        {"type": "service_worker"},
        {"type": "page"},
        {"type": "page", "webSocketDebuggerUrl": f"ws://127.0.0.1:{unused_port()}/x"},
    ]
    async with FakeService(
        before=lambda peer, _: peer.respond(HTTPStatus.OK, json.dumps(listed))
    ) as fake:
        with pytest.raises(AppUnreachable, match="offers a page that cannot be reached"):
            await Page.connect(fake.port, host="127.0.0.1")


# The commands that go through the browser, with an app whose own half is played.


@contextlib.asynccontextmanager
async def app_in(browser: Chromium, **answers: Any) -> AsyncIterator[tuple[VmApp, FakeService]]:
    verbs = {f"ext.tapir.{verb}": answer for verb, answer in answers.items()}
    timeouts = Timeouts(diagnosis=0.2, close=0.2)
    async with (
        FakeService(verbs) as fake,
        await VmApp.connect(fake.uri, cdp_port=browser.port, timeouts=timeouts) as app,
    ):
        yield app, fake


async def test_the_viewport_is_resized_until_the_app_is_let_go_of(chromium: Chromium) -> None:
    async with session(chromium) as other:
        async with app_in(chromium) as (app, _):
            params = {"width": "300", "height": "500", "dpr": "1.5", "mobile": "true"}
            assert await app.call("resize_viewport", params) == {
                "resized": True,
                "viewport": {
                    "width": 300,
                    "height": 500,
                    "dpr": 1.5,
                    "mobile": True,
                    "touch": False,
                },
                "message": "Viewport override sent: 300x500 @ 1.5x.",
            }
            await until(other, f"{SHAPE} === '300x500@1.5'")
            await app.call("boot_id")
            assert await seen(other, SHAPE) == "300x500@1.5"
        await until(other, "devicePixelRatio === 1")


async def test_the_viewport_is_reset_on_request(chromium: Chromium) -> None:
    async with session(chromium) as other, app_in(chromium) as (app, _):
        await app.call("resize_viewport", {"width": "300", "height": "500", "dpr": "1.5"})
        answer = await app.call("resize_viewport", {"reset": "true"})
        assert answer == {"reset": True, "message": "Viewport reset to defaults."}
        assert await seen(other, "String(devicePixelRatio)") == "1"
        assert await seen(other, "String(innerWidth)") == "1440"


async def test_a_device_is_applied_and_taken_back(chromium: Chromium) -> None:
    async with session(chromium) as other, app_in(chromium) as (app, _):
        answer = await app.call("device_profile", {"preset": "Desktop 1920"})
        assert answer["applied"] == "desktop-1920"
        assert answer["viewport"]["width"] == 1920
        assert await seen(other, "String(innerWidth)") == "1920"
        assert await app.call("device_profile", {"reset": "true"}) == {"reset": True}
        assert (await app.call("device_profile", {"list": "true"}))["presets"] == list(DEVICES)


@pytest.mark.parametrize(
    ("verb", "params", "kind"),
    [
        ("resize_viewport", {}, "missing_param"),
        ("resize_viewport", {"width": "0", "height": "5"}, "missing_param"),
        ("resize_viewport", {"width": "wide", "height": "5"}, "missing_param"),
        ("resize_viewport", {"width": "5", "height": "5", "dpr": "-1"}, "missing_param"),
        (
            "resize_viewport",
            {"width": "5", "height": "5", "deviceScaleFactor": "2"},
            "missing_param",
        ),
        ("device_profile", {}, "missing_param"),
        ("device_profile", {"preset": "nokia"}, "not_found"),
    ],
)
async def test_bad_parameters_are_refused(
    chromium: Chromium, verb: str, params: dict[str, str], kind: str
) -> None:
    async with app_in(chromium) as (app, _):
        with pytest.raises(VerbRefused) as caught:
            await app.call(verb, params)
        assert (caught.value.verb, caught.value.kind) == (verb, kind)


async def test_what_the_browser_refuses_is_a_refusal_of_the_verb(chromium: Chromium) -> None:
    async with app_in(chromium) as (app, _):
        with pytest.raises(VerbRefused, match=r"The browser refused Emulation\."):
            await app.call("resize_viewport", {"width": "99999999", "height": "5"})


@pytest.mark.parametrize("verb", ["resize_viewport", "device_profile"])
async def test_without_a_browser_these_verbs_are_unavailable(verb: str) -> None:
    async with FakeService() as fake, await VmApp.connect(fake.uri) as app:
        with pytest.raises(VerbUnavailable, match="needs the browser's debugging port"):
            await app.call(verb, {"reset": "true"})


PICTURE = {"format": "png", "base64": "AAAA", "width": 1, "height": 1}


async def test_the_app_draws_its_own_picture_when_it_can(chromium: Chromium) -> None:
    async with app_in(chromium, screenshot=PICTURE) as (app, _):
        assert await app.call("screenshot", {"format": "png"}) == PICTURE


@pytest.mark.parametrize("answer", [SILENCE, None, Fault(-32603, "0/1 responses")])
async def test_the_browser_takes_the_picture_when_the_app_does_not(
    chromium: Chromium, answer: Any
) -> None:
    async with app_in(chromium, screenshot=answer) as (app, fake):
        await app.call("resize_viewport", {"width": "64", "height": "48"})
        for format_ in ("png", "jpeg"):
            picture = await app.call("screenshot", {"format": format_}, timeout=0.6)
            assert (picture["format"], picture["width"], picture["height"]) == (format_, 64, 48)
            assert size_of(picture["base64"]) == (64, 48)
        if answer is SILENCE:  # a second try would cost the time again
            assert len(fake.asked("ext.tapir.screenshot")) == 1


async def test_the_app_tells_the_browser_where_a_part_is(chromium: Chromium) -> None:
    def answer(params: dict[str, str]) -> Any:
        if params.get("geometry") == "true":
            return {"rect": {"x": 1, "y": 2, "width": 30, "height": 20}, "devicePixelRatio": 1}
        return SILENCE

    async with app_in(chromium, screenshot=answer) as (app, _):
        picture = await app.call("screenshot", {"ref": "e1", "format": "png"}, timeout=0.6)
        assert size_of(picture["base64"]) == (30, 20)
        geometry = await app.call("screenshot", {"ref": "e1", "geometry": "true"})
        assert geometry["devicePixelRatio"] == 1


async def test_a_refused_picture_is_not_taken_by_the_browser(chromium: Chromium) -> None:
    refusal = Fault(-32000, data={"details": "Bad state: no such ref"})
    async with app_in(chromium, screenshot=refusal) as (app, _):
        with pytest.raises(VerbRefused, match="no such ref"):
            await app.call("screenshot", {"ref": "e99"})


async def test_a_browser_that_was_started_anew_is_connected_to_again(chromium: Chromium) -> None:
    async with app_in(chromium) as (app, _):
        await app.call("device_profile", {"reset": "true"})
        page = await app.page("device_profile", timeout=1.0)
        await page.close()
        assert await app.call("device_profile", {"reset": "true"}) == {"reset": True}
