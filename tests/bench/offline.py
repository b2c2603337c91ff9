"""What needs no app: checking files, starting up, writing JUnit."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path
from typing import Any

import jsonschema
import junit_xml
import yaml

from tapir_replay.engine.events import (
    Outcome,
    Planned,
    RunFinished,
    RunStarted,
    ScenarioFinished,
    ScenarioStarted,
    StepFinished,
    StepStarted,
)
from tapir_replay.engine.runlog import RunLog
from tapir_replay.report.junit import write
from tapir_replay.report.results import Results
from tapir_replay.scenario.check import runtime_schema
from tapir_replay.scenario.load import load
from tapir_replay.scenario.place import Place
from tests.bench.measure import Row, command, in_turns

FILES = 1_000
STEPS = 20
CASES = 10_000

_ROUND = """\
  - fill: {{target: {{label: Email {n}}}, text: "{{{{ email }}}}"}}
  - set_checkbox: {{target: Remember me {n}, value: true}}
  - tap: {{target: Sign in, until: Welcome back, untilTimeoutMs: 3000}}
    expect: {{effect: {{changed: true}}}}
  - expect:
      visible: Welcome back {n}
      route: /home
"""


def _scenario(number: int) -> str:
    steps = "".join(_ROUND.format(n=f"{number}-{index}") for index in range(STEPS // 4))
    return (
        f"name: Scenario {number}\ntags: [smoke]\nvars: {{email: ada@example.com}}\nsteps:\n{steps}"
    )


def plan() -> Row:
    """The plan of 500 scenarios, with tags and a shard, against checking the same files."""
    count = 500
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            text = _scenario(number).replace("[smoke]", f"[smoke, team{number % 7}]")
            (Path(folder) / f"{number}.yaml").write_text(text, encoding="utf-8")
        (Path(folder) / "tapir-replay.yaml").write_text("scenarios: ['**']\n", encoding="utf-8")
        project = ("--project", f"{folder}/tapir-replay.yaml")
        chosen = ("--tags", "smoke and not (team1 or team2)", "--shard", "1/3", "--dry-run")
        ours, baseline = in_turns(
            command("-m", "tapir_replay", "run", *project, *chosen),
            command("-m", "tapir_replay", "validate", *project),
            5,
        )
    return Row(
        f"plan of {count} scenarios of {STEPS} steps, tags and a shard",
        f"{ours * 1000:.0f} ms",
        f"validate: {baseline * 1000:.0f} ms",
        ours / baseline,
        1.4,
    )


def validate() -> Row:
    """`validate` of many files against parsing with the C loader and running jsonschema."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number in range(FILES):
            file = Path(folder) / f"{number}.yaml"
            file.write_text(_scenario(number), encoding="utf-8")
            files.append(file)
        validator = jsonschema.Draft202012Validator(runtime_schema())

        def baseline() -> None:
            for file in files:
                data = yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)
                assert next(validator.iter_errors(data), None) is None

        def ours() -> None:
            for file in files:
                assert load(file).ok

        mine, theirs = in_turns(ours, baseline, 3)
    return Row(
        f"validate {FILES} files of {STEPS} steps",
        f"{mine:.2f} s",
        f"C loader and jsonschema {theirs:.2f} s",
        mine / theirs,
        2.0,
    )


def start_up() -> list[Row]:
    """`--help` and `validate` of one file, as processes."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "one.yaml"
        file.write_text(_scenario(1), encoding="utf-8")
        bare = command("-c", "pass")
        cases = (
            ("--help", command("-m", "tapir_replay", "--help"), bare, "bare Python"),
            (
                "validate one file",
                command("-m", "tapir_replay", "validate", str(file)),
                command("-c", "import yaml, jsonschema, jinja2"),
                "importing yaml, jsonschema, jinja2",
            ),
        )
        rows = []
        for what, ours, baseline, name in cases:
            mine, theirs = in_turns(ours, baseline, 12)
            rows.append(
                Row(what, f"{mine * 1000:.0f} ms", f"{name} {theirs * 1000:.0f} ms", mine / theirs)
            )
    return rows


def junit() -> Row:
    """A report of many cases, from the log, against the library filled and printed by hand."""
    with tempfile.TemporaryDirectory() as folder:
        log_path = Path(folder) / "run.jsonl"
        _write_log(log_path)

        def ours() -> None:
            write(Results.of_log(log_path), Path(folder) / "junit.xml")

        def baseline() -> None:
            cases = []
            for line in log_path.read_text(encoding="ascii").splitlines():
                event: dict[str, Any] = json.loads(line)
                if event["event"] == "scenario_finished":
                    case = junit_xml.TestCase(f"case {event['scenario']}", "suite", 0.1)
                    case.stdout = "x" * 200
                    cases.append(case)
            suite = junit_xml.TestSuite("suite", cases)
            io.StringIO().write(junit_xml.to_xml_report_string([suite]))

        mine, theirs = in_turns(ours, baseline, 3)
    return Row(
        f"JUnit of {CASES} cases",
        f"{mine:.2f} s",
        f"junit-xml alone {theirs:.2f} s",
        mine / theirs,
    )


def _write_log(path: Path) -> None:
    places = [Place(file=f"s{number % 50}.yaml", line=number + 1) for number in range(CASES)]
    plan = tuple(
        Planned(id=str(number), name=f"case {number}", place=place)
        for number, place in enumerate(places)
    )
    with RunLog(path) as log:
        started = "2026-01-01T00:00:00+00:00"
        log.append(RunStarted(t=0, tool="bench", run="r", started=started, app="demo", plan=plan))
        for planned in plan:
            case, place = planned.id, planned.place
            log.append(ScenarioStarted(t=1, scenario=case, title=planned.name, place=place))
            for step in ("steps.1", "steps.2"):
                log.append(_step_started(case, step, place))
                log.append(
                    StepFinished(t=1, scenario=case, step=step, outcome=Outcome.PASSED, duration=1)
                )
            log.append(ScenarioFinished(t=1, scenario=case, outcome=Outcome.PASSED, duration=2))
        log.append(RunFinished(t=2, outcome=Outcome.PASSED, exit_code=0, duration=2.0))


def _step_started(scenario: str, step: str, place: Place) -> StepStarted:
    return StepStarted(
        t=1,
        scenario=scenario,
        step=step,
        phase="steps",
        title='tap "Sign in"',
        verb="tap",
        place=place,
    )
