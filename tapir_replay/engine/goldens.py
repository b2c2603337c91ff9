"""Conditions that compare the screen with a file: `snapshot` and `screenshot`.

A file is brought up to date only when asked for, only where it does not hold, and whole or not at
all. Secrets are masked on the screen before it is compared, so that no file ever holds one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from tapir_replay.engine import lines
from tapir_replay.engine.clock import Clock
from tapir_replay.engine.events import FaultKind
from tapir_replay.engine.faults import StepFault, fault
from tapir_replay.engine.locate import resolve
from tapir_replay.engine.pictures import (
    Difference,
    compare,
    decoded,
    encoded,
    highlighted,
    opened,
    paint_over,
)
from tapir_replay.engine.places import PATIENCE, area_of, secret_places
from tapir_replay.engine.redact import Redactor
from tapir_replay.engine.screen import Bounds
from tapir_replay.engine.seen import Renewal, Seen
from tapir_replay.files import exists, replace, why_refused
from tapir_replay.scenario.load import shown
from tapir_replay.scenario.model import Condition, Golden, Target

if TYPE_CHECKING:
    from PIL.Image import Image

    from tapir_replay.engine.conditions import Observer
    from tapir_replay.engine.screen import Match

_STILL = 0.5
"""Seconds for which the screen has to stand still before it is written to a file."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What was compared: `expected`, `actual` and `difference`."""

    stem: str
    kind: str
    data: bytes


def _nowhere(_: str) -> None: ...


@dataclass(slots=True)
class Goldens:
    """How files are compared with in one scenario.

    Attributes:
        update: Write what does not hold.
        suffix: Whose files win over those that all have: `home.ios.png` over `home.png`.
        redactor: What may not come into a file.
        tell: Says which files were written.
    """

    update: bool = False
    suffix: str | None = None
    redactor: Redactor = field(default_factory=Redactor)
    tell: Callable[[str], None] = _nowhere
    _compared: dict[Path, tuple[Image | None, Image]] = field(default_factory=dict)

    def chosen(self, golden: Golden) -> Golden:
        """The file to compare with: that of its own where there is one."""
        own = self._own(golden)
        return own if exists(own.path) else golden

    def _own(self, golden: Golden) -> Golden:
        ending = f".{self.suffix}"
        stem, dot, endings = golden.path.name.partition(".")
        if self.suffix is None or f".{endings}".startswith(f"{ending}."):
            return golden
        name = f"{stem}{ending}{dot}{endings}"
        return replaced(golden, file=str(PurePath(str(golden.file)).with_name(name)))

    def keep(self, golden: Golden, expected: Image | None, actual: Image) -> None:
        """What the last look at a file compared, where it did not hold."""
        self._compared[golden.path] = (expected, actual)

    def forget(self, golden: Golden) -> None:
        self._compared.pop(golden.path, None)

    def take(self) -> tuple[Picture, ...]:
        """What the last looks compared, once."""
        pictures = []
        for path, (expected, actual) in self._compared.items():
            images = {"expected": expected, "actual": actual}
            if expected is not None and expected.size == actual.size:
                images["difference"] = highlighted(expected, actual)
            pictures += [
                Picture(path.stem, kind, encoded(image))
                for kind, image in images.items()
                if image is not None
            ]
        self._compared.clear()
        return tuple(pictures)

    def renewal(self, golden: Golden, make: Callable[[], bytes]) -> Renewal | None:
        """How a file is brought up to date, where that is asked for."""
        if not self.update:
            return None
        content, path = make(), self._own(golden).path

        def write() -> None:
            word = "updated" if exists(path) else "made"
            replace(path, content)
            self.tell(f"golden {word}: {shown(path)}")

        return Renewal(content, write)


class Update:
    """Waits for the screen to stand still, and writes the files then."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last: list[bytes] | None = None
        self._since = 0.0

    def may_write(self, renewals: Sequence[Renewal], left: float) -> bool:
        """Write the files, if nothing has changed for a while, or there is no more time."""
        contents = [each.content for each in renewals]
        now = self._clock.now()
        if contents != self._last:
            self._last, self._since = contents, now
        if now - self._since < _STILL and left > 0:
            return False
        for each in renewals:
            each.write()
        return True


_MAKE = "make it with --update-goldens, and look at what it holds"
_RENEW = "if this is right now, run with --update-goldens"


def _wrong(golden: Golden, reason: object) -> StepFault:
    return StepFault(fault(FaultKind.VALUE, f"{shown(golden.path)}: {reason}", hint=_MAKE))


# The text of the screen


async def snapshot(observer: Observer, condition: Condition) -> Seen:
    """The lines of the file are on the screen, in order."""
    assert condition.golden is not None
    golden = observer.goldens.chosen(condition.golden)
    on_screen = lines.shown_lines(await _snapshot_text(observer, condition))
    try:
        text = golden.path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return _there_is_none(
            observer,
            golden,
            lambda: _encoded("".join(f"{lines.written(each)}\n" for each in on_screen)),
        )
    except (OSError, ValueError) as error:
        raise _wrong(golden, f"it cannot be read: {why_refused(error)}") from None
    try:
        wanted = lines.read_lines(text)
    except lines.LinesFault as error:
        raise _wrong(golden, error) from None
    found = lines.align(wanted, on_screen)
    missing = [line for line, each in zip(wanted, found, strict=True) if each is None]
    name = shown(golden.path)
    if not missing:
        return Seen(True, f"the lines of {name}", "all of them")
    first = missing[0]
    more = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
    return Seen(
        False,
        expected=first.source,
        seen=f"{len(wanted) - len(missing)} of the {len(wanted)} lines of {name}",
        details=(
            "missing lines (-), and what is there instead (+):",
            *(f"  {each}" for each in lines.difference(wanted, on_screen, found)),
        ),
        message=f"snapshot: {name}:{first.number} is not on the screen: {first.source}{more}",
        hint=_RENEW,
        renewal=observer.goldens.renewal(
            golden, lambda: _encoded(lines.renewed(text, wanted, on_screen))
        ),
    )


async def _snapshot_text(observer: Observer, condition: Condition) -> str:
    params = {}
    if condition.target is not None:
        params["within"] = (await resolve(observer.locator, condition.target)).ref
    answer = await observer.app.call("snap", params, timeout=PATIENCE)
    return observer.goldens.redactor.text(str(answer.get("snapshot", "")))


def _encoded(text: str) -> bytes:
    """As UTF-8; what that cannot hold, which is half a character, becomes a question mark."""
    return text.encode("utf-8", "replace")


def _there_is_none(observer: Observer, golden: Golden, make: Callable[[], bytes]) -> Seen:
    message = f"there is no {shown(golden.path)} yet"
    renewal = observer.goldens.renewal(golden, make)
    if renewal is None:
        raise StepFault(fault(FaultKind.ASSERTION, message, hint=_MAKE))
    return Seen(False, "the file", message, renewal=renewal)


# The picture of the screen


async def screenshot(observer: Observer, condition: Condition) -> Seen:
    """The screen looks like the picture, but for masks and as many pixels as may differ."""
    assert condition.golden is not None
    golden = observer.goldens.chosen(condition.golden)
    actual, hidden, scale = await _picture(observer, condition)
    paint_over(actual, hidden, scale)
    try:
        expected = opened(golden.path.read_bytes())
    except FileNotFoundError:
        observer.goldens.keep(golden, None, actual)
        return _there_is_none(observer, golden, lambda: encoded(actual))
    except (OSError, ValueError) as error:
        raise _wrong(golden, error) from None
    paint_over(expected, hidden, scale)
    found = compare(expected, actual)
    if found.holds(golden.tolerance):
        observer.goldens.forget(golden)
        return Seen(True, f"the picture {shown(golden.path)}", "the same")
    observer.goldens.keep(golden, expected, actual)
    wanted, seen, details = _in_words(found, golden)
    return Seen(
        False,
        expected=wanted,
        seen=seen,
        details=details,
        message=f"screenshot: {shown(golden.path)}: {seen}",
        hint=_RENEW,
        renewal=observer.goldens.renewal(golden, lambda: encoded(actual)),
    )


async def _picture(observer: Observer, condition: Condition) -> tuple[Image, list[Bounds], float]:
    """The picture, and the places on it that do not count or may not be kept."""
    of: Match | None = None
    params = {"format": "png"}
    if condition.target is not None:
        of = await resolve(observer.locator, condition.target)
        params["ref"] = of.ref
    answer = await observer.app.call("screenshot", params, timeout=PATIENCE)
    image = opened(decoded(str(answer.get("base64", ""))))
    assert condition.golden is not None
    places = [place for each in condition.golden.masks for place in await _mask(observer, each)]
    redactor = observer.goldens.redactor
    if redactor.active:
        places += await secret_places(observer.locator, redactor)
    if not places:
        return image, [], 1.0
    area = await area_of(observer.app, answer, of)
    return image, area.inside(places), area.scale


async def _mask(observer: Observer, target: Target) -> list[Bounds]:
    """Where everything is that a mask stands for."""
    found = await observer.locator.find(target)
    chosen = found.matches
    if target.nth is not None or not chosen:
        chosen = (await resolve(observer.locator, target),)  # or tells what is near
    places = [each.bounds for each in chosen if each.bounds is not None]
    if len(places) < len(chosen):
        message = f"the app does not tell where {target} is, so it cannot be masked"
        raise StepFault(fault(FaultKind.UNAVAILABLE, message))
    return places


def _in_words(found: Difference, golden: Golden) -> tuple[str, str, tuple[str, ...]]:
    """What was expected and seen, and more about it."""
    if not found.same_size:
        wanted, seen = (f"{width} × {height} pixels" for width, height in found.sizes)
        return wanted, f"the screen has {seen}, the file {wanted}", ()
    share = found.differing / found.total * 100
    allowed = found.allowed(golden.tolerance)
    limit = f"{allowed:,} pixels ({golden.tolerance:g}%)" if allowed else "no pixel"
    details: tuple[str, ...] = ()
    if found.box is not None:
        left, top, right, bottom = found.box
        details = (f"they lie between {left},{top} and {right},{bottom}",)
    seen = f"{found.differing:,} of {found.total:,} pixels differ ({share:.2g}%)"
    return f"at most {limit} to differ" if allowed else f"{limit} to differ", seen, details
