"""What `call` does."""

from __future__ import annotations

import argparse
import asyncio
import json
from dataclasses import dataclass
from typing import Any

from tapir_replay.app.errors import AppError, ConnectError
from tapir_replay.cli.files import UsageError, say
from tapir_replay.cli.surroundings import Surroundings, surroundings
from tapir_replay.engine.acting import Actor
from tapir_replay.engine.clock import RealClock
from tapir_replay.engine.events import Fault, Outcome
from tapir_replay.engine.exits import Exit, exit_of
from tapir_replay.engine.faults import StepFault, of_exception
from tapir_replay.engine.locate import locator_for
from tapir_replay.engine.redact import Redactor
from tapir_replay.engine.verdict import judge
from tapir_replay.project.model import Project
from tapir_replay.scenario import suggest
from tapir_replay.scenario.model import DEFAULT_TIMEOUT, Target
from tapir_replay.scenario.templates import TemplateError
from tapir_replay.verbs.catalogue import BY_NAME
from tapir_replay.verbs.model import Dispatch, Type, Verb


@dataclass(frozen=True, slots=True, kw_only=True)
class _Around:
    """What a call is made in, and what must not be printed."""

    surroundings: Surroundings
    redactor: Redactor

    def say(self, text: str) -> None:
        say(self.redactor.text(text))

    def tell(self, found: Fault) -> None:
        lines = [found.message, *(f"  {each}" for each in found.details)]
        if found.expected is not None:
            lines += [f"  expected {found.expected}", f"  seen     {found.seen}"]
        if found.hint:
            lines.append(f"  hint: {found.hint}")
        self.say("\n".join(lines))


def call_verb(options: argparse.Namespace) -> int:
    try:
        around = _around(options)
    except UsageError as error:
        say(f"tapir-replay call: {error}")
        return Exit.WRONG_INPUT
    if around is None:
        return Exit.WRONG_INPUT
    try:
        verb = _verb(options.verb)
        args = _args(verb, options.values)
    except UsageError as error:
        around.say(f"tapir-replay call: {error}")
        return Exit.WRONG_INPUT
    return asyncio.run(_call(verb, args, options, around))


def _around(options: argparse.Namespace) -> _Around | None:
    """The project that the current folder belongs to; None if its file is wrong, which is told."""
    found = surroundings(options, "called")
    if found is None:
        return None
    return _Around(surroundings=found, redactor=Redactor(found.secrets.values()))


async def _call(
    verb: Verb, args: dict[str, Any], options: argparse.Namespace, around: _Around
) -> int:
    project = around.surroundings.project
    async with around.surroundings.apps(options, tell=around.say) as apps:
        try:
            app = await apps.app_for(None)
            actor = Actor(app, locator_for(app), RealClock())
            acted = await actor.act(verb, args, _timeout(options, project))
        except (AppError, StepFault, TemplateError, ValueError) as error:
            found = of_exception(error)
            around.tell(found)
            return Exit.APP_UNREACHABLE if isinstance(error, ConnectError) else _exit(found)
    print(json.dumps(around.redactor.value(acted.answer), indent=2, ensure_ascii=True))
    verdict = judge(verb, args, acted.answer, (), {})
    for each in verdict.faults:
        around.tell(each)
    return Exit.FAILED if verdict.faults else Exit.PASSED


def _timeout(options: argparse.Namespace, project: Project | None) -> float:
    """The command line over the project, over what is built in."""
    given = (options.timeout, project.timeout if project else None)
    return next((float(each) for each in given if each is not None), DEFAULT_TIMEOUT)


def _exit(found: Fault) -> int:
    if found.kind.outcome is Outcome.FAILED:
        return Exit.FAILED
    return exit_of([found.kind])


def _verb(name: str) -> Verb:
    verb = BY_NAME.get(name.replace("-", "_"))
    callable_verbs = [
        each.name
        for each in BY_NAME.values()
        if each.dispatch not in (Dispatch.RUNNER, Dispatch.TOOL)
    ]
    if verb is None:
        raise UsageError(
            f'there is no verb "{name}"; {suggest.hint(name, callable_verbs, noun="verbs")}'
        )
    if verb.name not in callable_verbs:
        raise UsageError(f"{verb.name} is not something an app answers")
    return verb


def _args(verb: Verb, values: list[str]) -> dict[str, Any]:
    args: dict[str, Any] = {}
    for each in values:
        name, equals, text = each.partition("=")
        if not equals:
            if verb.short is None or verb.short in args:
                raise UsageError(f"{each}: expected NAME=VALUE")
            name, text = verb.short, each
        param = verb.param(name)
        if name == "ref" and verb.targets:
            args[verb.targets[0].name] = Target(ref=text)
        elif param is None:
            known = [each.name for each in verb.params]
            raise UsageError(
                f'{verb.name} has no "{name}"; {suggest.hint(name, known, noun="it has")}'
            )
        else:
            args[name] = _target(text) if param.type is Type.TARGET else text
    missing = [param.name for param in verb.params if param.required and param.name not in args]
    if missing:
        raise UsageError(f"{verb.name} needs {', '.join(missing)}")
    return args


def _target(text: str) -> Target:
    """A target as in a scenario: a label, or a map in braces."""
    if not text.startswith("{"):
        return Target(text=text)
    from tapir_replay.scenario.load import target_of  # noqa: PLC0415

    try:
        return target_of(text)
    except ValueError as error:
        raise UsageError(str(error)) from None
