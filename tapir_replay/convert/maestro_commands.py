"""Every command of Maestro: a table of small functions with one signature."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from tapir_replay.convert.maestro_steps import Args, Command, Flow, Never, Typed
from tapir_replay.convert.maestro_texts import COPIED
from tapir_replay.convert.model import Left
from tapir_replay.convert.source import Node
from tapir_replay.scenario.writing import Step, literal

# Touching


def _tap(flow: Flow, args: Args) -> Iterable[Step]:
    target = flow.widget(args, _selector(args))
    _knobs(flow, args)
    step = {"tap": {"target": target}}
    if flow.field != target:
        flow.typed = None
    flow.field = target
    count = args.get("repeat")
    if count is None or count.whole in (0, 1):
        return [step]
    if count.whole is None:
        args.miss("repeat is no number", count)
        return [step]
    return [{"repeat": {"times": max(1, count.whole), "steps": [step]}}]


def _double_tap(flow: Flow, args: Args) -> Iterable[Step]:
    target = flow.widget(args, _selector(args))
    _knobs(flow, args)
    return [{"dblclick": {"target": target}}]


def _long_press(flow: Flow, args: Args) -> Iterable[Step]:
    target = flow.widget(args, _selector(args))
    _knobs(flow, args)
    return [{"long_press": {"target": target}}]


def _selector(args: Args) -> Node:
    if args.value is None or args.value.is_nothing:
        raise Left("it has no selector")
    return args.value


def _knobs(flow: Flow, args: Args) -> None:
    for name in ("delay", "retryTapIfNoChange", "waitUntilVisible", "waitToSettleTimeoutMs"):
        if (node := args.get(name)) is not None:
            _not_needed(flow, node, name)


def _not_needed(flow: Flow, node: Node, name: str) -> None:
    flow.notes.differs_once(
        f"no-{name}", node.span, f"{name} is left out: steps wait by themselves until they can act"
    )


# Typing


def _input(flow: Flow, args: Args) -> Iterable[Step]:
    text, node = args.text("text")
    return _type(flow, text, node, flow.names.filled(text, node))


def _type(flow: Flow, raw: str, node: Node, text: str) -> Iterable[Step]:
    """Fill the field that was tapped; the tap itself is then a part of it."""
    target = _field(flow)
    if flow.typed is not None and flow.typed.target == target:
        if flow.out and flow.out[-1] is flow.typed.step:
            flow.out.pop()
        raw = flow.typed.text + raw
        text = flow.names.filled(raw, node)
    else:
        _tap_is_a_part(flow, target)
    flow.notes.differs_once(
        "typing", node.value_span, "fill replaces what a field holds; inputText adds to it"
    )
    step = {"fill": {"target": target, "text": text}}
    flow.typed = Typed(target, raw, step)
    return [step]


def _tap_is_a_part(flow: Flow, target: Any) -> None:
    """A tap right before is a part of filling and clearing."""
    if flow.out and flow.out[-1] == {"tap": {"target": target}}:
        flow.out.pop()


def _field(flow: Flow) -> Any:
    if flow.field is None:
        raise Left(
            "which field has the focus is not known",
            hint="write fill: {target: ..., text: ...}",
        )
    return flow.field


def _random(expression: str) -> Any:
    def make(flow: Flow, args: Args) -> Iterable[Step]:
        length = args.get("length")
        count = 8 if length is None else length.whole
        if count is None or count < 1:
            raise Left("length is no number", length)
        target = _field(flow)
        _tap_is_a_part(flow, target)
        flow.field = None  # what it holds is not known any more
        text = f"{{{{ {expression.format(count)} }}}}"
        return [{"fill": {"target": target, "text": text}}]

    return make


def _erase(flow: Flow, args: Args) -> Iterable[Step]:
    target = _field(flow)
    if (count := args.get("charactersToErase")) is not None:
        flow.notes.differs_once(
            "erase-all", count.value_span, "clear empties the field; eraseText takes so many away"
        )
    _tap_is_a_part(flow, target)
    flow.typed = None
    return [{"clear": {"target": target}}]


def _copy(flow: Flow, args: Args) -> Iterable[Step]:
    target = flow.widget(args, _selector(args))
    flow.names.ours[COPIED] = COPIED
    return [{"read": {"target": target, "as": COPIED}}]


def _set_clipboard(flow: Flow, args: Args) -> Iterable[Step]:
    text, node = args.text("text")
    filled = flow.names.filled(text, node)
    flow.names.ours[COPIED] = COPIED
    return [{"set": {COPIED: filled}}]


def _paste(flow: Flow, args: Args) -> Iterable[Step]:
    if COPIED not in flow.names.ours:
        raise Left("nothing was copied before", hint="keep a text with read, and fill it in")
    return _type(flow, "${maestro.copiedText}", args.node, f"{{{{ {COPIED} }}}}")


_KEYS = {
    **{name: name.capitalize() for name in ("enter", "backspace", "escape", "tab")},
    **{f"remote dpad {each}": f"Arrow{each.capitalize()}" for each in ("up", "down")},
    **{f"remote dpad {each}": f"Arrow{each.capitalize()}" for each in ("left", "right")},
    "remote dpad center": "Enter",
}


def _press(_: Flow, args: Args) -> Iterable[Step]:
    text, node = args.text("key")
    if text.lower() == "back":
        return ["navigate_back"]
    key = _KEYS.get(text.lower())
    if key is None:
        raise Left(
            f"{text} is a key of the device, not of the app"
            if not text.startswith("${")
            else "which key it is stands in a variable",
            node,
            hint="press_key has Enter, Tab, Escape, Backspace, arrows, letters and digits",
        )
    return [{"press_key": {"key": key}}]


def _back(_: Flow, __: Args) -> Iterable[Step]:
    return ["navigate_back"]


def _hide_keyboard(flow: Flow, args: Args) -> Iterable[Step]:
    flow.notes.differs_once(
        "hide-keyboard", args.node.span, "blur takes the focus away, which closes the keyboard"
    )
    return ["blur"]


# Checking and waiting


def _visible(flow: Flow, args: Args) -> Iterable[Step]:
    sought = flow.selectors.exact(_selector(args))
    return [{"expect": flow.conditions(sought)}]


def _not_visible(flow: Flow, args: Args) -> Iterable[Step]:
    return [{"expect": flow.gone(_selector(args))}]


def _wait_until(flow: Flow, args: Args) -> Iterable[Step]:
    visible, gone = args.get("visible"), args.get("notVisible")
    expected: dict[str, Any] = {}
    if visible is not None:
        expected |= flow.conditions(flow.selectors.exact(visible))
    if gone is not None:
        expected |= flow.gone(gone)
    if not expected:
        raise Left("it has neither visible nor notVisible")
    step: dict[str, Any] = {"expect": expected}
    timeout = args.get("timeout")
    if timeout is not None:
        step["timeout"] = _duration(flow, timeout)
    return [step]


def _duration(flow: Flow, node: Node) -> str:
    if node.text and "${" in node.text:
        return f"{flow.names.one(node.text, node)}ms"
    if node.whole is None or node.whole < 0:
        raise Left("the timeout is no number of milliseconds", node)
    seconds, rest = divmod(node.whole, 1000)
    return f"{node.whole}ms" if rest else f"{seconds}s"


def _settled(flow: Flow, args: Args) -> Iterable[Step]:
    flow.notes.differs_once(
        "no-animation",
        args.node.span,
        "waitForAnimationToEnd is left out: steps wait until a widget stands still",
        "where something else has to be waited for: wait_for, or expect",
    )
    return []


def _same_picture(flow: Flow, args: Args) -> Iterable[Step]:
    path, node = args.text("path")
    share = args.get("thresholdPercentage")
    wanted = 95.0 if share is None else share.number
    if wanted is None or not 0 <= wanted <= 100:
        raise Left("thresholdPercentage is no percentage", share)
    picture: dict[str, Any] = {"file": _picture(flow, path, node)}
    if (part := args.get("cropOn")) is not None:
        picture["of"] = flow.selectors.exact(part).target
    if wanted < 100:
        picture["tolerance"] = f"{round(100 - wanted, 6):g}%"
    flow.notes.differs_once(
        "golden",
        node.value_span,
        "pictures of Maestro are of the whole device, and are measured in another way",
        "make new ones with --update-goldens, and look at them",
    )
    return [{"expect": {"screenshot": picture}}]


# Moving


def _scroll(_: Flow, __: Args) -> Iterable[Step]:
    return ["scroll"]


def _scroll_until(flow: Flow, args: Args) -> Iterable[Step]:
    target = flow.widget(args, args.need("element"))
    step: dict[str, Any] = {"target": target}
    direction = args.get("direction")
    if direction is not None:
        step["direction"] = _direction(direction)
    if step.get("direction") == "down":
        del step["direction"]
    for name in ("timeout", "speed", "visibilityPercentage", "waitToSettleTimeoutMs"):
        if (node := args.get(name)) is not None:
            flow.notes.differs_once(
                f"no-{name}",
                node.span,
                f"{name} is left out: scroll_until scrolls up to 50 times, until it shows",
                "pixels says how far at a time, max how often",
            )
    centre = args.get("centerElement")
    if centre is not None and centre.flag:
        args.miss("centerElement: where it shows is not looked at", centre)
    return [{"scroll_until": step}]


def _direction(node: Node) -> str:
    direction = (node.text or "").lower()
    if direction not in _OPPOSITE:
        raise Left("a direction is expected: up, down, left or right", node)
    return direction


_OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
_DISTANCE = 300
_BY = {"up": ("dy", -1), "down": ("dy", 1), "left": ("dx", -1), "right": ("dx", 1)}


def _swipe(flow: Flow, args: Args) -> Iterable[Step]:
    if args.get("start") is not None or args.get("end") is not None:
        raise Left(
            "it goes from a place of the screen to another",
            hint="scroll: {direction: ...}, or drag: {from: ..., dx: ..., dy: ...}",
        )
    direction = _direction(args.need("direction"))
    for name in ("duration", "waitToSettleTimeoutMs"):
        if (node := args.get(name)) is not None:
            flow.notes.differs_once(f"no-{name}", node.span, f"{name} of swipe is left out")
    start = args.get("from")
    if start is not None:
        axis, sign = _BY[direction]
        flow.notes.differs_once(
            "swipe-distance", start.span, f"a swipe becomes a drag by {_DISTANCE} pixels"
        )
        return [{"drag": {"from": flow.widget(args, start), axis: sign * _DISTANCE}}]
    flow.notes.differs_once(
        "swipe",
        args.node.span,
        "a swipe becomes a scroll of the first list on the screen, the other way",
        "what is no list: drag: {from: ..., dx: ..., dy: ...}",
    )
    scrolled = _OPPOSITE[direction]
    return ["scroll" if scrolled == "down" else {"scroll": {"direction": scrolled}}]


# The app


def _launch(flow: Flow, args: Args) -> Iterable[Step]:
    for name in ("clearState", "clearKeychain"):
        node = args.get(name)
        if node is not None and node.flag is not False:
            args.miss(
                f"{name}: the app's data is not touched",
                node,
                "give the app reset: restart in the project file, and clear its data in the app",
            )
    for name in ("permissions", "arguments"):
        if (node := args.get(name)) is not None:
            args.miss(f"{name}: the runner does not start the app on a device", node)
    own = args.get("appId") or args.get("url")
    if own is not None and own.text != flow.app:
        args.miss("it starts another app", own, "a scenario is about one app")
    flow.notes.differs_once(
        "launch",
        args.node.span,
        "launchApp is left out: the app runs already, or the runner starts it",
        "reset: in the project file says how the app begins anew before each scenario",
    )
    return []


def _open_link(flow: Flow, args: Args) -> Iterable[Step]:
    link, node = args.text("link")
    browser = args.get("browser")
    if browser is not None and browser.flag:
        raise Left("it opens a browser", browser)
    if (verify := args.get("autoVerify")) is not None:
        flow.notes.differs_once("no-autoVerify", verify.span, "autoVerify is left out")
    if link.startswith("/"):
        return [{"navigate": {"route": flow.names.filled(link, node)}}]
    try:
        parts = urlsplit(link)
    except ValueError:
        raise Left("it is no address", node) from None
    if parts.scheme not in ("http", "https") or "${" in parts.netloc:
        raise Left(
            "which route of the app it leads to is not known",
            node,
            hint="navigate: /the/route",
        )
    route = parts.path or "/"
    route += f"?{parts.query}" if parts.query else ""
    route += f"#{parts.fragment}" if parts.fragment else ""
    flow.notes.differs(
        "link", node.value_span, "taken as the route of that path", "see that the app has it"
    )
    return [{"navigate": {"route": flow.names.filled(route, node)}}]


def _screenshot(flow: Flow, args: Args) -> Iterable[Step]:
    path, node = args.text("path")
    step: dict[str, Any] = {"path": _picture(flow, path, node)}
    if (part := args.get("cropOn")) is not None:
        step["target"] = flow.widget(args, part)
    return [{"screenshot": step}]


_PATH = re.compile(r'(?!/)(?!.*\.\.)(?!(.*/)?\.?\Z)[^\\\x00-\x1f\x7f<>:"|?*]+\Z')


def _picture(flow: Flow, path: str, node: Node) -> str:
    name = flow.names.filled(path, node)
    name = name if name.endswith(".png") else f"{name}.png"
    if _PATH.match(name.removeprefix("./")) is None or name == ".png":
        raise Left("a relative path without .. is expected", node)
    return name.removeprefix("./")


# Flow


def _run_flow(flow: Flow, args: Args) -> Iterable[Step]:
    condition = _when(flow, args.get("when"))
    file, commands, env = args.get("file"), args.get("commands"), args.get("env")
    given = _env(env)
    if file is not None and commands is None:
        used = _use(flow, file, given)
        if used is None:
            return []
        step = used
    elif commands is not None and file is None:
        values = {
            flow.names.define(name, node): flow.names.filled(node.text or "", node)
            for name, node in given.items()
        }
        made = flow.block(commands)
        step = {"group": {"steps": [{"set": values}, *made] if values else made}}
        if values:
            flow.notes.differs_once(
                "env-of-commands", env.span if env else args.node.span,
                "the env of commands stays set after them",
            )  # fmt: skip
    else:
        raise Left("either file or commands is expected")
    return [{**step, **condition}]


def _when(flow: Flow, node: Node | None) -> dict[str, Any]:
    if node is None:
        return {}
    entries = node.entries
    if not entries:
        raise Left("a condition is a map", node)
    found: dict[str, Any] = {}
    for name, each in entries.items():
        if name == "visible":
            found |= flow.conditions(flow.selectors.exact(each))
        elif name == "notVisible":
            found |= flow.gone(each)
        elif name == "true":
            if len(entries) > 1:
                raise Left("a condition of several kinds", node, hint="one group in another")
            return {"when": _truth(flow, each)}
        elif name == "platform":
            raise Left(
                "the platform is not looked at",
                each,
                hint="when: \"{{ env.PLATFORM == 'ios' }}\" asks the environment",
            )
        elif name not in ("label", "optional"):
            raise Left(f"a condition has no {name}", each)
    if not found:
        raise Left("an empty condition", node)
    flow.notes.differs_once(
        "when", node.span, "a condition is looked at once, now; Maestro waits for it up to 7 s"
    )
    return {"when": found}


def _truth(flow: Flow, node: Node) -> str:
    text = (node.text or "").strip()
    if node.flag is not None:
        return "{{ true }}" if node.flag else "{{ false }}"
    name = flow.names.one(text, node)[2:-2].strip()
    return f"{{{{ {name} | string | lower not in {_FALSE} }}}}"


_FALSE = "['', '0', 'false', 'null', 'undefined']"
"""What is not true for Maestro; a condition of ours is true or false, and no text."""


def _env(node: Node | None) -> dict[str, Node]:
    if node is None:
        return {}
    if node.entries is None:
        raise Left("env is a map", node)
    for each in node.entries.values():
        if each.text is None:
            raise Left("a value of env is a text", each)
    return dict(node.entries)


def _use(flow: Flow, file: Node, given: Mapping[str, Node]) -> dict[str, Any] | None:
    """The step that uses a file; None where nothing is to be done."""
    if file.text is None:
        raise Left("file is no text", file)
    if "${" in file.text:
        raise Left("which file it is stands in a variable", file, hint="one use each, with when")
    try:
        used = flow.linker.use(file.text)
    except Left as left:
        raise Left(left.why, file, hint=left.hint) from None
    if not used.file:
        flow.notes.differs(
            "nothing-to-do", file.value_span, f"{file.text} is left out: nothing is to be done"
        )
        return None
    values: dict[str, Any] = {}
    for name, param in used.params.items():
        if param.fixed:
            if name in given:
                flow.notes.differs(
                    "env-wins", given[name].span, f"{name} is set by the flow itself, which wins"
                )
        elif name in given:
            values[param.ours] = flow.names.filled(given[name].text or "", given[name])
        elif name in flow.names.ours or not param.has_default:
            values[param.ours] = flow.names.expression(name, file)
    step: dict[str, Any] = {"use": {"file": literal(used.file)}}
    return {**step, "with": values} if values else step


def _repeat(flow: Flow, args: Args) -> Iterable[Step]:
    times, condition = args.get("times"), args.get("while")
    repeat: dict[str, Any] = {}
    if times is not None and times.text and "${" in times.text:
        repeat["times"] = flow.names.one(times.text, times)
    elif times is not None:
        if times.whole is None:
            raise Left("times is no number", times)
        repeat["times"] = max(0, times.whole)
    if condition is not None:
        repeat["while"] = _when(flow, condition)["when"]
    if not repeat:
        raise Left("it goes on for ever", hint="say how often, or while what shows")
    repeat["steps"] = flow.block(args.need("commands"))
    return [{"repeat": repeat}]


_MOST_RETRIES = 3


def _retry(flow: Flow, args: Args) -> Iterable[Step]:
    count = args.get("maxRetries")
    retries = 1 if count is None else count.whole
    if retries is None:
        raise Left("maxRetries is no number", count)
    file, commands = args.get("file"), args.get("commands")
    if file is not None and commands is None:
        used = _use(flow, file, _env(args.get("env")))
        if used is None:
            return []
        steps: list[Step] = [used]
    elif commands is not None and file is None:
        if (env := args.get("env")) is not None:
            raise Left("env of commands", env, hint="set: {name: value} before them")
        steps = flow.block(commands)
    else:
        raise Left("either file or commands is expected")
    attempts = 1 + min(_MOST_RETRIES, max(0, retries))
    return [{"retry": {"attempts": attempts, "steps": steps}}]


_SCRIPT = Never(
    "scripts are not part of a scenario",
    "{{ }} calculates; what needs a server can be done before the run, and given as variables",
)
_DEVICE = Never(
    "it is done to the device, not to the app", "set it up before the run, or do it in the app"
)
_AI = Never("a model judges it, which is not the same twice", "say with expect what has to show")
_START = Never(
    "the runner starts and ends the app itself",
    "reset: restart in the project file begins anew before each scenario",
)
_VIDEO = Never("there are no videos", "screenshot keeps a picture; evidence of a failure is kept")
_NAME = Never("no such value is made up", "fill with {{ random.text(8) }}, or a variable")

COMMANDS: Mapping[str, Command | Never] = {
    "tapOn": Command(_tap, None, keeps=True),
    "doubleTapOn": Command(_double_tap, None),
    "longPressOn": Command(_long_press, None),
    "inputText": Command(_input, ("text",), "text", keeps=True),
    "inputRandomText": Command(_random("random.text({0})"), ("length",), keeps=True),
    "inputRandomNumber": Command(_random("random.digits({0})"), ("length",), keeps=True),
    "inputRandomEmail": Command(_random("random.email()"), keeps=True),
    "inputRandomPersonName": _NAME,
    "inputRandomCityName": _NAME,
    "inputRandomCountryName": _NAME,
    "inputRandomColorName": _NAME,
    "eraseText": Command(_erase, ("charactersToErase",), "charactersToErase", keeps=True),
    "copyTextFrom": Command(_copy, None, keeps=True),
    "setClipboard": Command(_set_clipboard, ("text",), "text", keeps=True),
    "pasteText": Command(_paste, keeps=True),
    "pressKey": Command(_press, ("key",), "key"),
    "back": Command(_back),
    "hideKeyboard": Command(_hide_keyboard),
    "assertVisible": Command(_visible, None, keeps=True),
    "assertNotVisible": Command(_not_visible, None, keeps=True),
    "assertTrue": Never(
        "it asks whether JavaScript is true", "say with expect what has to show: text, value, count"
    ),
    "extendedWaitUntil": Command(_wait_until, ("visible", "notVisible", "timeout"), keeps=True),
    "waitForAnimationToEnd": Command(_settled, ("timeout",), "timeout", keeps=True),
    "assertScreenshot": Command(
        _same_picture, ("path", "thresholdPercentage", "cropOn"), "path", keeps=True
    ),
    "scroll": Command(_scroll),
    "scrollUntilVisible": Command(
        _scroll_until,
        (
            *("element", "direction", "timeout", "speed", "visibilityPercentage"),
            *("centerElement", "waitToSettleTimeoutMs"),
        ),
    ),
    "swipe": Command(
        _swipe, ("direction", "from", "start", "end", "duration", "waitToSettleTimeoutMs")
    ),
    "launchApp": Command(
        _launch,
        ("appId", "url", "clearState", "clearKeychain", "stopApp", "permissions", "arguments"),
        "appId",
    ),
    "openLink": Command(_open_link, ("link", "browser", "autoVerify"), "link"),
    "takeScreenshot": Command(_screenshot, ("path", "cropOn"), "path", keeps=True),
    "runFlow": Command(_run_flow, ("file", "commands", "when", "env"), "file"),
    "repeat": Command(_repeat, ("times", "while", "commands")),
    "retry": Command(_retry, ("maxRetries", "file", "commands", "env")),
    "evalScript": _SCRIPT,
    "runScript": _SCRIPT,
    **dict.fromkeys(("stopApp", "killApp", "clearState", "clearKeychain"), _START),
    **dict.fromkeys(("assertWithAI", "assertNoDefectsWithAI", "extractTextWithAI"), _AI),
    **dict.fromkeys(("startRecording", "stopRecording"), _VIDEO),
    **dict.fromkeys(
        (
            *("setLocation", "travel", "setOrientation", "setAirplaneMode", "toggleAirplaneMode"),
            *("setPermissions", "addMedia", "openBrowser"),
            *("setDarkMode", "toggleDarkMode", "assertDarkMode", "assertLightMode"),
        ),
        _DEVICE,
    ),
}
