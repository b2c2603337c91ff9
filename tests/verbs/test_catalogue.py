"""The catalogue of verbs, as a whole."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import Counter

import pytest

from tapir_replay.scenario.schema import MODIFIERS
from tapir_replay.scenario.schema_app import ROLES
from tapir_replay.verbs import catalogue
from tapir_replay.verbs.catalogue import BY_NAME, STEP_VERBS, VERBS
from tapir_replay.verbs.model import Dispatch, Effect, Type, Verb

TOOLS = """
    tap dblclick triple_click right_click hover drag scroll type fill clear focus blur press_key
    select_option set_checkbox navigate navigate_back dismiss_modals reset_overlays close_app find
    observe snap get_routes console exceptions screenshot evaluate wait_for wait_for_network_idle
    hot_reload_and_snap resize_viewport device_profile perf_begin perf_end perf_insight perf_trace
    run perf_run perf_compare
"""
each_verb = pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)


def test_the_forty_tools() -> None:
    """Every tool of Tapir's MCP server is there, and nothing else is called one."""
    tools = [verb.name for verb in VERBS if verb.tool]
    assert len(tools) == 40
    assert sorted(tools) == sorted(TOOLS.split())


def test_names_are_unique() -> None:
    """No verb is there twice, and both tables hold what they should."""
    assert max(Counter(verb.name for verb in VERBS).values()) == 1
    assert list(BY_NAME) == [verb.name for verb in VERBS]
    assert list(STEP_VERBS) == [verb.name for verb in VERBS if verb.step]


def test_every_kind_counts() -> None:
    """No module of the catalogue is left out."""
    modules = [
        importlib.import_module(f"{catalogue.__name__}.{each.name}")
        for each in pkgutil.iter_modules(catalogue.__path__)
    ]
    listed = [verb.name for each in modules for verb in getattr(each, "VERBS", ())]
    assert sorted(listed) == sorted(BY_NAME)


def test_a_step_can_tell_verbs_from_modifiers() -> None:
    """No verb has the name of a modifier."""
    assert not set(BY_NAME) & set(MODIFIERS)


@each_verb
def test_names_can_be_written(verb: Verb) -> None:
    """A verb's name and its parameters need no quotes in YAML and can be read in a template."""
    assert re.fullmatch("[a-z][a-z_]*", verb.name)
    for param in verb.params:
        assert re.fullmatch("[A-Za-z][A-Za-z-]*", param.name)
    for field in verb.results:
        assert field.name.isidentifier()


@each_verb
def test_each_parameter_and_field_is_there_once(verb: Verb) -> None:
    """Names are unique within a verb."""
    assert len({param.name for param in verb.params}) == len(verb.params)
    assert len({field.name for field in verb.results}) == len(verb.results)


@each_verb
def test_short_form(verb: Verb) -> None:
    """The short form is a parameter, and the only one that is needed."""
    if verb.short is None:
        return
    short = verb.param(verb.short)
    assert short is not None
    assert {param.name for param in verb.params if param.required} <= {verb.short}
    assert short.type in (Type.TEXT, Type.TARGET, Type.PATH, Type.DURATION, Type.FILE)


@each_verb
def test_any_of(verb: Verb) -> None:
    """What is needed one of is optional by itself."""
    for name in verb.any_of:
        param = verb.param(name)
        assert param is not None
        assert not param.required
    assert not verb.any_of or verb.short is None or verb.short in verb.any_of


@each_verb
def test_effect(verb: Verb) -> None:
    """A verb with an effect answers it, and one without does not."""
    fields = {field.name for field in verb.results}
    assert (verb.effect is not None) is ("effect" in fields)


@each_verb
def test_unmatched(verb: Verb) -> None:
    """What tells a fruitless answer is a field of truth, and its text names parameters only."""
    fields = {field.name: field for field in verb.results}
    for rule in verb.unmatched:
        assert fields[rule.field].type is Type.BOOL
        for name in re.findall(r"\{(\w+)\}", rule.says):
            assert verb.param(name) is not None
        assert not rule.says.endswith(".")


@each_verb
def test_parameters(verb: Verb) -> None:
    """Defaults and choices are of the parameter's type, and a default is no requirement."""
    kinds = {Type.BOOL: bool, Type.INT: int, Type.NUMBER: int | float, Type.TEXT: str}
    for param in verb.params:
        assert param.default is None or not param.required
        if param.default is not None and param.type is not Type.NAME:
            assert isinstance(param.default, kinds[param.type])
            assert not param.choices or param.default in param.choices
        assert not param.choices or param.type in (Type.TEXT, Type.TEXTS)
        assert param.minimum is None or param.type in (Type.INT, Type.NUMBER)
        if param.type in (Type.PATH, Type.DURATION):
            assert param.wire_name == ""


@each_verb
def test_wire_names_do_not_collide(verb: Verb) -> None:
    """Two parameters are never sent under one name."""
    sent = [param.wire_name for param in verb.params if param.wire_name]
    assert len(set(sent)) == len(sent)


@each_verb
def test_targets(verb: Verb) -> None:
    """Targets are the parameters that are sent as a ref."""
    assert [param.type for param in verb.targets] == [Type.TARGET] * len(verb.targets)
    for param in verb.targets:
        # What the engine carries out itself is looked up, and never sent.
        own = verb.dispatch is Dispatch.RUNNER
        assert param.wire_name in (("",) if own else ("ref", "within", "startRef", "endRef"))


@each_verb
def test_texts_for_people(verb: Verb) -> None:
    """Every summary and every description is a sentence."""
    texts = [verb.summary, *(param.doc for param in verb.params)]
    for text in (*texts, *(field.doc for field in verb.results)):
        assert text.endswith(".")
        assert text[0].isupper() or not text[0].isalpha()


@each_verb
def test_dispatch(verb: Verb) -> None:
    """Tools of the command line are no steps; what is gated acts; only actions have `until`."""
    if verb.dispatch is Dispatch.TOOL:
        assert not verb.step
    if verb.gated:
        assert verb.action
        assert verb.param("checkStable")
        assert verb.param("checkReceivesEvents")
    assert (verb.param("until") is not None) is verb.action
    assert (verb.param("untilTimeoutMs") is not None) is verb.action


def test_only_tap_sends_until() -> None:
    """The app knows `until` for tap alone; for others the engine waits."""
    sends = [verb.name for verb in VERBS if (until := verb.param("until")) and until.wire_name]
    assert sends == ["tap"]


def test_effects_that_are_verified() -> None:
    """What a field, a dropdown and a checkbox hold is verified; a tap or scroll only changed."""
    assert {effect for effect in Effect if effect.verified} == {
        Effect.TEXT,
        Effect.SELECTED,
        Effect.CHECKED,
    }


def test_roles_are_those_that_observe_lists() -> None:
    """A target's roles and those of `observe` are the same."""
    roles = BY_NAME["observe"].param("roles")
    assert roles is not None
    assert set(roles.choices) == set(ROLES)


def test_a_lookup_that_finds_nothing() -> None:
    """A parameter that is not there is None."""
    assert BY_NAME["tap"].param("nothing") is None
