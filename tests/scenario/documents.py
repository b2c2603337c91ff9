"""Scenarios for tests: to load from a text, and to be made wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tapir_replay.scenario import yaml_tree
from tapir_replay.scenario.load import Loaded, load_bytes
from tapir_replay.scenario.model import Scenario, Step
from tapir_replay.verbs.catalogue import STEP_VERBS
from tapir_replay.verbs.model import Param, Type, Verb


def check(text: str | bytes, **options: Any) -> Loaded:
    data = text.encode() if isinstance(text, str) else text
    return load_bytes(data, "test.yaml", Path("test.yaml"), **options)


def scenario(text: str, **options: Any) -> Scenario:
    """The scenario of a text that must be right."""
    file = check(text, **options)
    assert file.scenario is not None, [str(each) for each in file.diagnostics]
    return file.scenario


def step(text: str, **options: Any) -> Step:
    """The one step of a scenario, from its flow form: `tap: Sign in`."""
    return scenario(f"steps:\n  - {text}\n", **options).steps[0]


def codes(text: str | bytes, **options: Any) -> list[str]:
    return [each.code for each in check(text, **options).diagnostics]


def messages(text: str | bytes, **options: Any) -> list[str]:
    return [each.message for each in check(text, **options).diagnostics]


def pure_loader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parse without libyaml, as where the wheel of PyYAML lacks it."""
    kept = ("resolve", "descend_resolver", "ascend_resolver")
    methods = {name: vars(yaml_tree._Loader)[name] for name in kept}
    monkeypatch.setattr(yaml_tree, "_Loader", type("_Loader", (yaml.SafeLoader,), methods))


def example(param: Param) -> str:
    """A value of a parameter, in flow YAML."""
    if param.choices:
        return f"[{param.choices[0]}]" if param.type is Type.TEXTS else param.choices[0]
    minimum = int(param.minimum or 0) + 1
    values = {
        Type.TEXT: "some text",
        Type.BOOL: "true",
        Type.INT: str(minimum),
        Type.NUMBER: f"{minimum}.5",
        Type.TEXTS: "[one, two]",
        Type.TARGET: "{label: Email, role: textbox, within: {key: form}}",
        Type.PATH: "shots/a.png",
        Type.DURATION: "300ms",
        Type.STEPS: "[dismiss_modals, {tap: Save}]",
        Type.CONDITION: "{visible: Save}",
        Type.NAME: "kept",
        Type.FILE: "fixtures/broken/flows/plain.yaml",
        Type.ANY: "[a, b]",
    }
    return values[param.type]


def full_form(verb: Verb) -> str:
    """A step with every parameter there is."""
    if verb.name == "expect":
        return "expect: {visible: Save}"
    if verb.open:
        return f"{verb.name}: {{one: 1, two: [a, b]}}"
    # With `times` there is no use for `max`, and with a target none for a place.
    useless = {("repeat", "max"), ("tap", "x"), ("tap", "y")}
    params = [param for param in verb.params if (verb.name, param.name) not in useless]
    given = ", ".join(f"{param.name}: {example(param)}" for param in params)
    return f"{verb.name}: {{{given}}}" if given else f"{verb.name}:"


def least_form(verb: Verb) -> str:
    """A step with no more than it needs."""
    if verb.name == "expect":
        return "expect: {visible: Save}"
    if verb.open:
        return f"{verb.name}: {{one: 1}}"
    needed = [param for param in verb.params if param.required]
    if not any(param.name in verb.any_of for param in needed):
        needed += [param for param in verb.params if param.name in verb.any_of[:1]]
    needed += [param for param in verb.params if verb.name == "resize_viewport"][1:2]
    given = ", ".join(f"{param.name}: {example(param)}" for param in needed)
    return f"{verb.name}: {{{given}}}" if given else verb.name


def all_steps() -> Iterator[str]:
    for verb in STEP_VERBS.values():
        yield full_form(verb)
        yield least_form(verb)
        if verb.short is not None:
            short = verb.param(verb.short)
            assert short is not None
            yield f"{verb.name}: {'Save' if short.type is Type.TARGET else example(short)}"


GOOD = """\
name: Everything
description: One of each
tags: [smoke, auth]
app: demo
vars:
  email: ada@example.com
  count: 3
  rows: [a, {b: c}]
secrets: [PASSWORD]
timeout: 10s
budget: 60s
exceptions:
  policy: fail
  allow:
    - {contains: overflowed, reason: known, until: "2099-12-31"}
cases:
  - {name: first, vars: {size: M}}
  - {vars: {size: "{{ env.SIZE }}"}}
on_failure:
  - snap: broken.txt
setup:
  - reset_overlays
  - navigate: /login
steps:
  - fill: {target: {label: Email}, text: "{{ email }}"}
    name: The address
    secret: true
    timeout: 3s
  - fill: {target: {key: password, within: {role: button, nth: 1}}, text: "{{ PASSWORD }}"}
    when: {visible: Password, route: {contains: login}}
  - tap: {target: Sign in, until: Welcome back, untilTimeoutMs: 3000}
    soft: true
    expect:
      effect: {changed: true}
      untilMatched: true
  - find: {contains: Save}
    save: {button: ref, matched: matched}
  - tap: {target: {ref: "{{ button }}"}}
    optional: "{{ count > 2 }}"
  - expect:
      visible: [Welcome back, {key: user}]
      gone: {matches: "^Load"}
      enabled: Log out
      checked: {label: Remember me}
      value: {of: {label: Email}, is: ada@example.com}
      count: {of: {role: button}, gte: 3, lt: 9}
      text: {of: {key: total}, matches: '^\\$\\d+'}
      route: /home
      exceptions: {allow: [overflow]}
      log: {contains: saved, level: INFO}
  - expect:
      log: [saved, {matches: "^o"}]
      snapshot: home.snap.yaml
      screenshot: {file: home.png, tolerance: 0.5%, masks: [{key: clock}], of: {key: page}}
  - tap: Save
    log: {contains: saved, level: INFO}
    forbid_log: [error, {matches: "^E"}]
    budget: 2s
  - use: fixtures/broken/flows/sign-in.yaml
    with: {password: "{{ PASSWORD }}"}
  - name: Twice
    repeat:
      times: "{{ count }}"
      steps:
        - for_each: {in: "{{ rows }}", as: row, steps: [{tap: "{{ row }}"}]}
        - retry: {steps: [{group: {steps: [dismiss_modals]}}]}
  - read: {target: Total, as: total}
  - set: {twice: "{{ total * 2 }}"}
  - log: "{{ twice }}"
  - scroll_until: {target: "{{ twice }}", within: {key: list}}
  - console: {limit: 5}
    expect: {count: {in: [1, 2]}, logs: {length: {lt: 9}, not: {contains: x}}}
  - screenshot: home.png
teardown:
  - dismiss_modals
"""


def walk(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all parts of a document."""
    yield path
    if isinstance(value, dict):
        for key, each in value.items():
            yield from walk(each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from walk(each, (*path, index))
