"""The JUnit report: valid for every reader, whatever a scenario or an app may say."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
import tracemalloc
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from lxml import etree

from tapir_replay.engine.events import Event, Fault, FaultKind, Outcome, Planned
from tapir_replay.report import junit
from tapir_replay.report.results import Results
from tests.report import runs, strategies

SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).parent / "junit-10.xsd"))
XMLLINT = shutil.which("xmllint")


def report(folder: Path, events: Iterable[Event], **options: Any) -> ET.Element:
    """Writes a report, has every parser read it, and checks its counts."""
    path = folder / "junit.xml"
    junit.write(Results.of_events(events), path, **options)
    root = ET.parse(path).getroot()
    assert etree.tostring(etree.parse(path), method="c14n") == (
        etree.tostring(etree.fromstring(ET.tostring(root, "utf-8")), method="c14n")
    )
    if XMLLINT:
        subprocess.run([XMLLINT, "--noout", path], check=True)
    check_counts(root)
    return root


def check_counts(root: ET.Element) -> None:
    for element in (root, *root.iter("testsuite")):
        assert int(element.get("tests", "")) == len(list(element.iter("testcase")))
        for attribute, tag in (("failures", "failure"), ("errors", "error")):
            assert int(element.get(attribute, "")) == len(list(element.iter(tag)))
        if element.get("skipped"):
            assert int(element.get("skipped", "")) == len(list(element.iter("skipped")))
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(set(names)) == len(names)
    for case in root.iter("testcase"):
        assert case.get("name")
        assert case.get("classname")
        for verdict in (*case.iter("failure"), *case.iter("error"), *case.iter("skipped")):
            message, text = verdict.get("message", ""), verdict.text or ""
            assert message.strip()
            assert len(message.splitlines()) == 1
            assert text.startswith(message)
            assert verdict.get("type")
        assert len(case.findall("system-out")) <= 1


def case_of(root: ET.Element, name: str) -> ET.Element:
    found = root.find(f".//testcase[@name='{name}']")
    assert found is not None
    return found


def text_of(element: ET.Element, tag: str) -> str:
    found = element.find(tag)
    assert found is not None
    return found.text or ""


def test_the_whole(tmp_path: Path) -> None:
    """One suite a file, one case a scenario, with what the readers make use of."""
    root = report(tmp_path, runs.mixed())
    assert root.attrib == {
        "name": "tapir-replay",
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
        "time": "70.578",
        "timestamp": "2024-05-01T09:00:00+02:00",
    }
    login, cart, _ = root.findall("testsuite")
    assert login.attrib == {
        "name": "scenarios/login.yaml",
        "file": "scenarios/login.yaml",
        "tests": "1",
        "failures": "1",
        "errors": "0",
        "skipped": "0",
        "time": "5.458",
        "timestamp": "2024-05-01T09:00:00+02:00",
        "hostname": "ci-7",
    }
    properties = {each.get("name"): each.get("value") for each in login.iter("property")}
    assert properties == {"app": "demo", "tool": "tapir-replay 0.1.0", "run": "20240501-0900"}
    assert cart.get("timestamp") == "2024-05-01T09:00:05+02:00"
    assert case_of(root, "Buy a cup").attrib == {
        "name": "Buy a cup",
        "classname": "scenarios.shop.cart",
        "file": "scenarios/shop/cart.yaml",
        "line": "1",
        "time": "65.120",
    }


def test_flaky_and_retried(tmp_path: Path) -> None:
    """A flaky case passes and tells what failed before; a failed one tells of all attempts."""
    root = report(tmp_path, runs.again(), run_dir=tmp_path)
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("4", "1", "0")
    flaky = case_of(root, runs.SIGN_IN.name)
    assert [each.tag for each in flaky][:1] == ["flakyFailure"]
    before = flaky.find("flakyFailure")
    assert before is not None
    assert before.get("message") == '"Welcome back" is not on the screen'
    assert before.get("type") == "assertion"
    assert text_of(before, "stackTrace").startswith('attempt 1\n"Welcome back" is not')
    assert 'FAILED  expect visible "Welcome back"' in text_of(before, "system-out")
    assert flaky.get("time") == "0.300"
    failed = case_of(root, f"{runs.SIGN_IN.name} (2)")
    assert [each.tag for each in failed][:2] == ["failure", "rerunFailure"]
    assert case_of(root, "Buy a cup").find("flakyError") is None
    assert case_of(root, "Buy a cup (2)").find("flakyError") is not None
    properties = {each.get("name"): each.get("value") for each in root.iter("property")}
    assert properties["profile"] == "ci"
    assert properties["shard"] == "1/3"
    assert properties["seed"] == "7"


def test_retries_keep_to_the_strict_schema(tmp_path: Path) -> None:
    report(tmp_path, runs.again(), strict=True)
    SCHEMA.assertValid(etree.parse(tmp_path / "junit.xml"))


def test_pictures_of_earlier_attempts_are_attached(tmp_path: Path) -> None:
    """The picture of a flaky case is that of the attempt that failed."""
    (tmp_path / "login-1").mkdir()
    (tmp_path / "login-1/failure.png").write_bytes(b"x")
    flaky = case_of(report(tmp_path, runs.again()), runs.SIGN_IN.name)
    assert text_of(flaky, "system-out").startswith("[[ATTACHMENT|login-1/failure.png]]")


def test_a_run_that_is_flaky_only_is_green(tmp_path: Path) -> None:
    """No case is made up for it, as is for a run that went wrong."""
    script = runs.Script()
    script.run(runs.BUY)
    script.scenario(runs.BUY)
    script.finish("cart", 1, outcome=Outcome.FLAKY, attempt=2)
    script.over(Outcome.FLAKY)
    assert report(tmp_path, script).get("tests") == "1"


def test_a_failure(tmp_path: Path) -> None:
    """The text says all: what, where, which step, expected and seen, details and hint."""
    failure = case_of(report(tmp_path, runs.mixed()), runs.SIGN_IN.name).find("failure")
    assert failure is not None
    assert failure.get("type") == "assertion"
    assert failure.get("message") == '"Welcome back" is not on the screen'
    assert failure.text == (
        '"Welcome back" is not on the screen\n'
        'scenarios/login.yaml:8:5 step 4 of 5: expect visible "Welcome back"\n'
        'expected: "Welcome back" to be visible within 5s\n'
        "seen:     21 labels, none of them\n"
        "          the route is still /login\n"
        "nearest labels:\n"
        '  text "Welcome"  at 24,80\n'
        '  button "Go back"  at 8,40\n'
        "hint:     The dialog over the form may have taken the tap."
    )


def test_an_error_without_a_step(tmp_path: Path) -> None:
    """A scenario that could not begin points at itself."""
    error = case_of(report(tmp_path, runs.mixed()), "Pay").find("error")
    assert error is not None
    assert error.get("type") == "app_gone"
    assert error.text == (
        "the app went away\nscenarios/shop/pay.yaml:1:1\n"
        "The socket was closed without a closing frame."
    )


def test_output(tmp_path: Path) -> None:
    """Markers come first, then warnings, then the steps; notes are on the error side."""
    for name in ("failure.png", "tree.yaml"):
        file = tmp_path / "run" / "login" / "steps.3" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    root = report(tmp_path, runs.mixed(), run_dir=tmp_path / "run")
    assert text_of(case_of(root, runs.SIGN_IN.name), "system-out") == (
        "[[ATTACHMENT|run/login/steps.3/failure.png]]\n"
        "[[ATTACHMENT|run/login/steps.3/tree.yaml]]\n"
        "warning: step 3: the tap changed nothing\n"
        "  1. passed  setup: reset_overlays [12ms]\n"
        '  2. passed  fill "Email" [85ms]\n'
        '  3. passed  tap "Sign in" [340ms]\n'
        '  4. FAILED  expect visible "Welcome back" [5.0s]\n'
        "  5. skipped teardown: dismiss_modals (nothing to dismiss) [9ms]"
    )
    assert text_of(case_of(root, "Buy a cup"), "system-err") == (
        "warning: RenderFlex overflowed by 12 pixels"
    )


def test_attachments_are_relative_to_the_base(tmp_path: Path) -> None:
    """A CI job that wants paths from its workspace gets them."""
    file = tmp_path / "out" / "run" / "login" / "steps.3" / "failure.png"
    file.parent.mkdir(parents=True)
    file.touch()
    run_dir = tmp_path / "out" / "run"
    root = report(tmp_path / "build", runs.mixed(), run_dir=run_dir, base=tmp_path)
    case = case_of(root, runs.SIGN_IN.name)
    marker = "[[ATTACHMENT|out/run/login/steps.3/failure.png]]\n"
    assert text_of(case, "system-out").startswith(marker)
    assert text_of(case, "system-err") == "artifact missing: login/steps.3/tree.yaml"


def test_attachments_that_do_not_fit(tmp_path: Path) -> None:
    """A second file of one name, a path out of the run, and an odd name are not marked."""
    script = runs.Script()
    script.scenario(runs.BUY)
    script.begin("cart", "steps.1", "tap", runs.at("cart.yaml", 3))
    (tmp_path / "run" / "b").mkdir(parents=True)
    (tmp_path / "secret.png").touch()
    for path in ("a.png", "b/a.png", "odd]].png", "two\nlines.png"):
        (tmp_path / "run" / path).touch()
        script.artifact("cart", "steps.1", path)
    for path in ("../secret.png", str(tmp_path / "secret.png"), "", "\x00", "\ud800.png"):
        script.artifact("cart", "steps.1", path)
    script.end("cart", "steps.1", 1)
    script.finish("cart", 1)
    case = case_of(report(tmp_path, script, run_dir=tmp_path / "run"), "Buy a cup")
    assert text_of(case, "system-out").splitlines()[:2] == [
        "[[ATTACHMENT|run/a.png]]",
        "artifact: run/b/a.png",
    ]
    assert text_of(case, "system-err").replace(str(tmp_path), "TMP").splitlines() == [
        "artifact not attached, its name does not fit a marker: odd]].png",
        "artifact not attached, its name does not fit a marker: two lines.png",
        "artifact not attached, it is outside of the run's folder: ../secret.png",
        "artifact not attached, it is outside of the run's folder: TMP/secret.png",
        "artifact not attached, it is outside of the run's folder: ",
        r"artifact missing: \x00",
        r"artifact missing: \ud800.png",
    ]


def test_the_picture_of_the_failure_comes_first(tmp_path: Path) -> None:
    """Some readers show only one attachment."""
    script = runs.Script()
    script.scenario(runs.BUY)
    script.begin("cart", "steps.1", "tap", runs.at("cart.yaml", 3))
    for path, fields in (
        ("early.png", {"on_failure": False}),
        ("tree.yaml", {"kind": "snapshot"}),
        ("failure.png", {}),
    ):
        (tmp_path / path).touch()
        script.artifact("cart", "steps.1", path, **fields)
    script.end("cart", "steps.1", 1)
    script.finish("cart", 1)
    case = case_of(report(tmp_path, script), "Buy a cup")
    assert text_of(case, "system-out").splitlines()[:3] == [
        "[[ATTACHMENT|failure.png]]",
        "[[ATTACHMENT|tree.yaml]]",
        "[[ATTACHMENT|early.png]]",
    ]


def test_soft_faults_are_listed(tmp_path: Path) -> None:
    """All that did not hold is told, not only what decided."""
    case = case_of(report(tmp_path, runs.long(9, faulty=(2, 5, 7))), "Long")
    assert text_of(case, "failure") == (
        "no 2\nlong.yaml:2:5 step 2 of 9: tap 2\n\n"
        "2 more faults in this scenario:\n"
        "long.yaml:5:5 step 5 of 9: tap 5\n  no 5\n"
        "long.yaml:7:5 step 7 of 9: tap 7\n  no 7"
    )


def test_steps_left_out_are_counted(tmp_path: Path) -> None:
    """A long list says where it has a gap."""
    case = case_of(report(tmp_path, runs.long(1000)), "Long")
    assert "\n  ... 600 steps left out ...\n801. passed  tap 801" in text_of(case, "system-out")


def named(*names: str, file: str = "a.yaml", **finish: Any) -> runs.Script:
    script = runs.Script()
    for index, name in enumerate(names):
        script.scenario(Planned(id=str(index), name=name, place=runs.at(file, 1)))
        script.finish(str(index), 1, **finish)
    script.over()
    return script


def test_names_are_unique(tmp_path: Path) -> None:
    """Readers drop the second of two cases with one name."""
    root = report(tmp_path, named("A", "A", "A (2)", "A", "A\n", ""))
    names = [case.get("name") for case in root.iter("testcase")]
    assert names == ["A", "A (2)", "A (2) (2)", "A (3)", "A (4)", "line 1"]


@pytest.mark.parametrize(
    ("file", "classname"),
    [
        ("scenarios/auth/login.yaml", "scenarios.auth.login"),
        ("login.yml", "login"),
        ("./v1.2/log.in.yaml", "v1_2.log_in"),
        ("../up/x.yaml", "up.x"),
        ("/abs/x.yaml", "abs.x"),
        ("notes.txt", "notes_txt"),
        ("漢字/😀.yaml", "漢字.😀"),
        ("", "(unknown)"),
    ],
)
def test_classnames(tmp_path: Path, file: str, classname: str) -> None:
    """The path with dots and without the extension, which Jenkins would take for the class."""
    root = report(tmp_path, named("A", file=file))
    assert case_of(root, "A").get("classname") == classname


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.ERROR, Outcome.SKIPPED])
@pytest.mark.parametrize("message", ["", " \n\t", "\x1b[0m", "\u2028"])
def test_nothing_to_say_is_not_a_pass(tmp_path: Path, outcome: Outcome, message: str) -> None:
    """A fault without a message is still written, and counted."""
    fault = None
    if outcome is not Outcome.SKIPPED:
        fault = Fault(kind=FaultKind.ASSERTION, message=message)
    root = report(tmp_path, named("A", outcome=outcome, fault=fault, reason=message))
    assert len(case_of(root, "A")) == 1


def test_times_of_nothing_are_written(tmp_path: Path) -> None:
    """A missing time is not a number to some readers."""
    script = runs.Script()
    script.scenario(runs.BUY)
    script.finish("cart", 0)
    root = report(tmp_path, script)
    assert [e.get("time") for e in (root, *root.iter("testsuite"), *root.iter("testcase"))] == [
        "0.000",
        "0.000",
        "0.000",
        "0.000",
        "0.000",
    ]


def test_a_long_message_is_cut_and_told_in_full_below(tmp_path: Path) -> None:
    """An attribute is no place for a novel; the text is, up to a point."""
    fault = Fault(kind=FaultKind.ASSERTION, message="m" * 5000, details=("d" * 3_000_000, "end"))
    case = case_of(report(tmp_path, named("A", outcome=Outcome.FAILED, fault=fault)), "A")
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("message") == "m" * 1999 + "…"
    assert "\n" + "m" * 5000 + "\n" in (failure.text or "")
    assert len((failure.text or "").encode()) <= 1_000_000
    assert (failure.text or "").endswith("d\nend")


@pytest.mark.parametrize("strict", [False, True])
def test_hostile_texts(tmp_path: Path, strict: bool) -> None:
    """What XML cannot hold is shown as an escape; colours are gone."""
    root = report(tmp_path, runs.hostile(), strict=strict)
    (case,) = root.iter("testcase")
    assert case.get("name") == r"gone \ud800"
    assert case.get("classname") == "scenarios.\u202egnp"
    assert text_of(case, "failure").startswith(r"no\x08\x08 ]]> \ufffe" + "\n")
    assert r"seen:     line" + "\n" + " " * 10 + r"over\x07" in text_of(case, "failure")
    assert "{x} %s {{ y }}\n\\udfff" in text_of(case, "failure")


@pytest.mark.parametrize("events", [runs.mixed().events, runs.killed(), [], runs.shards()])
def test_strict_is_valid_against_the_xunit_schema(tmp_path: Path, events: list[Event]) -> None:
    """The xUnit plugin of Jenkins skips a file that its schema does not allow."""
    report(tmp_path, events, strict=True)
    SCHEMA.assertValid(etree.parse(tmp_path / "junit.xml"))


def test_the_default_differs_from_strict_only_in_attributes(tmp_path: Path) -> None:
    """File and line, and what the root has more."""
    default, strict = report(tmp_path, runs.mixed()), report(tmp_path, runs.mixed(), strict=True)
    for case in default.iter("testcase"):
        del case.attrib["file"], case.attrib["line"]
    del default.attrib["timestamp"], default.attrib["skipped"]
    assert ET.tostring(default) == ET.tostring(strict)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(strategies.runs())
def test_any_run(events: list[Event]) -> None:
    """Any text anywhere gives a report that every parser reads, with counts that are right."""
    with tempfile.TemporaryDirectory() as folder:
        report(Path(folder), events)
        report(Path(folder), events, strict=True)
        SCHEMA.assertValid(etree.parse(Path(folder) / "junit.xml"))


def test_a_run_that_went_wrong_is_never_green(tmp_path: Path) -> None:
    """When all that was planned was skipped because of an error, there is a case that says so."""
    script = runs.Script()
    script.run(runs.BUY)
    script.over(Outcome.ERROR, reason="nothing answers at ws://127.0.0.1:1/ws")
    root = report(tmp_path, script)
    assert root.get("errors") == "1"
    assert text_of(case_of(root, "run"), "error").startswith("nothing answers at ws://")
    assert report(tmp_path, runs.mixed().events[:1]).get("errors") == "1"
    assert report(tmp_path, []).get("errors") == "1"


def test_what_was_wrong_with_the_log_is_told(tmp_path: Path) -> None:
    """The notes of the run stand at the end of the first suite."""
    suite = report(tmp_path, runs.killed()).find("testsuite")
    assert suite is not None
    assert suite[-1].tag == "system-err"
    assert suite[-1].text == "warning: The log ends before the run does."


def test_a_report_is_whole_or_not_there(tmp_path: Path) -> None:
    """An error while writing leaves the older report, and nothing else, behind."""
    path = tmp_path / "junit.xml"
    path.write_text("old")

    def breaking() -> Iterable[Event]:
        yield from runs.killed()
        raise OSError("disk on fire")

    with pytest.raises(OSError, match="fire"):
        junit.write(Results(breaking), path)
    assert [each.name for each in tmp_path.iterdir()] == ["junit.xml"]
    assert path.read_text() == "old"


def many(count: int) -> Iterable[Event]:
    for index in range(count):
        script, file = runs.Script(), f"scenarios/{index // 20}.yaml"
        planned = Planned(id=str(index), name=f"Scenario {index}", place=runs.at(file, index + 1))
        script.scenario(planned)
        for step in range(5):
            script.step(str(index), f"steps.{step}", 'tap "OK"', runs.at(file, step + 1), 20)
        fault = runs.NOT_WELCOME if index % 10 == 0 else None
        outcome = Outcome.FAILED if fault else Outcome.PASSED
        script.finish(str(index), 100, outcome=outcome, fault=fault)
        yield from script


def test_many_cases(tmp_path: Path) -> None:
    """10,000 cases take seconds, and memory in the order of the report's size."""
    path = tmp_path / "junit.xml"
    begun = time.perf_counter()
    junit.write(Results(lambda: many(10_000)), path)
    assert time.perf_counter() - begun < 10
    tracemalloc.start()
    junit.write(Results(lambda: many(1000)), path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 6 * path.stat().st_size
