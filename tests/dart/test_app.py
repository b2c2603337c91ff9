"""The Dart app beyond what every backend has to do."""

from __future__ import annotations

import asyncio
import base64
import io
import re
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.support.dart_app import start_dart_app
from tests.support.rpc import Rpc, WireError, connect

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")


def use(
    work: Callable[[Rpc], Awaitable[T]], *, plain: bool = False, from_source: bool = False
) -> T:
    """Do something with an app of its own."""

    async def run() -> T:
        async with (
            start_dart_app(plain=plain, from_source=from_source) as uri,
            connect(uri) as rpc,
        ):
            return await work(rpc)

    return asyncio.run(run())


def test_plain_has_the_tapir_verbs_alone() -> None:
    async def work(rpc: Rpc) -> None:
        isolate = await rpc.request("getIsolate", isolateId=rpc.isolate)
        ours = [name for name in isolate["extensionRPCs"] if name.startswith("ext.tapir")]
        assert len(ours) == 38
        assert not [name for name in ours if name.startswith("ext.tapir_replay.")]
        with pytest.raises(WireError) as refused:
            await rpc.call("ext.tapir_replay.info")
        assert refused.value.code == -32601

    use(work, plain=True)


def test_a_boot_has_an_id_of_its_own() -> None:
    async def work(rpc: Rpc) -> str:
        return str((await rpc.call("boot_id"))["bootId"])

    assert use(work) != use(work)


def test_both_picture_formats_show_the_same() -> None:
    async def picture(rpc: Rpc, **params: Any) -> Image.Image:
        reply = await rpc.call("screenshot", **params)
        image = Image.open(io.BytesIO(base64.b64decode(reply["base64"])))
        image.load()
        assert image.format == reply["format"].upper()
        assert image.size == (reply["width"], reply["height"])
        return image.convert("RGB")

    async def work(rpc: Rpc) -> None:
        await rpc.call("navigate", route="/form", includeSnapshot=False)
        png = await picture(rpc, format="png")
        assert png.size == (780, 1688)
        assert len(png.getcolors(100_000) or ()) > 5
        for quality, most in ((100, 0.5), (70, 1.5), (0, 25)):
            jpeg = await picture(rpc, quality=quality)
            difference = ImageStat.Stat(ImageChops.difference(png, jpeg)).mean
            assert max(difference) < most, (quality, difference)
        # Sizes that are no multiple of a JPEG block.
        ref = (await rpc.call("find", key="gift"))["ref"]
        for width, height in ((1, 1), (3.5, 7), (40, 11)):
            rect = f"0,0,{width},{height}"
            small = await picture(rpc, ref=ref, rect=rect)
            assert small.size == (round(width * 2), round(height * 2))

    use(work)


def test_every_line_is_in_the_grammar() -> None:
    line = re.compile(
        r' *- (?:(?:textbox|checkbox|link|heading|image|button) ".*"(?:: ".*")? \[ref=e\d+\]'
        r'(?: \[offscreen\])?(?: \[occluded\])?|text ".*")'
        r"| *(?:typeable: true|overflow: true|tapOwner: \{.*\}|retargets: false)"
    )

    async def work(rpc: Rpc) -> None:
        for route in ("/form", "/list", "/overlays", "/covered", "/settings", "/inbox", "/menu"):
            text = (await rpc.call("navigate", route=route))["snapshot"]
            assert text.endswith("\n")
            for each in text.splitlines():
                assert line.fullmatch(each), each

    use(work)


def test_calls_that_come_together_are_all_answered() -> None:
    async def work(rpc: Rpc) -> None:
        await rpc.call("navigate", route="/motion", includeSnapshot=False)
        refs = [(await rpc.call("find", text=text))["ref"] for text in ("Catch me", "Stop")]
        calls: list[Awaitable[object]] = []
        for number in range(200):
            calls.append(rpc.call("snap"))
            calls.append(rpc.call("tap", ref=refs[number % 2]))
            calls.append(rpc.call("find", contains=str(number)))
            calls.append(rpc.call("wait_for", text="never", timeoutMs=number))
        answers = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 60)
        strange = [a for a in answers if not isinstance(a, (dict, WireError))]
        assert not strange

    use(work)
