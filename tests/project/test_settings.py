"""What holds for a run: command line over profile over project over built-in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tapir_replay.project.find import TwoProjects, find_project
from tapir_replay.project.load import load_project, load_project_bytes
from tapir_replay.project.model import AppSpec, Project
from tapir_replay.project.schema import KINDS, RESETS, SELECTORS, project_schema
from tapir_replay.project.settings import Given, settle, with_known_app, with_settings
from tapir_replay.scenario.load import Loaded
from tapir_replay.scenario.schema import scenario_schema
from tests.scenario.documents import check

TEXT = """\
apps:
  staging: "{{ env.APP }}"
  phone:
    launch: flutter run -d 'my phone'
    cwd: app
    env: {FLAVOR: qa}
    ready_timeout: 3m
    reset: restart
    route: /login
  mine: session
default_app: staging
scenarios: ["flows/**", "!flows/wip/**"]
vars: {email: ada@example.com, note: "{{ email }}, {{ run.id }}"}
env_files: [a.env]
secrets: [PASSWORD]
timeout: 10s
retries: 1
exceptions: warn
reports: {junit: build/e2e.xml}
artifacts: build/runs
selectors: [key, label]
profiles:
  ci:
    apps: {staging: demo, extra: demo}
    scenarios: [all/**]
    vars: {email: bob@example.com}
    env_files: [ci.env]
    secrets: [TOKEN]
    retries: 2
    fail_on_flaky: true
    reports: {junit_strict: true}
"""


def project(folder: Path, text: str = TEXT, profile: str | None = None) -> Project:
    (folder / "app").mkdir(exist_ok=True)
    file = load_project_bytes(text.encode(), "p.yaml", folder / "p.yaml", profile=profile)
    assert file.project is not None, [str(each) for each in file.diagnostics]
    return file.project


def test_the_whole(tmp_path: Path) -> None:
    """Every key of the file, with its paths relative to it."""
    read = project(tmp_path)
    assert (read.default_app, read.scenarios) == ("staging", ("flows/**", "!flows/wip/**"))
    assert read.env_files == (tmp_path / "a.env",)
    assert (read.secrets, read.timeout, read.retries) == (("PASSWORD",), 10.0, 1)
    assert (read.exceptions.policy, read.selectors) == ("warn", ("key", "label"))
    assert read.reports.junit == tmp_path / "build/e2e.xml"
    assert read.artifacts == tmp_path / "build/runs"
    assert (read.fail_on_flaky, read.profile) == (False, None)
    staging, phone, mine = read.apps.values()
    assert (staging.kind, staging.uri) == ("uri", "{{ env.APP }}")
    assert phone == AppSpec(
        name="phone",
        kind="launch",
        command=("flutter", "run", "-d", "my phone"),
        cwd=tmp_path / "app",
        env={"FLAVOR": "qa"},
        ready_timeout=180.0,
        reset="restart",
        route="/login",
        place=phone.place,
    )
    assert (phone.place.file, phone.place.line) == ("p.yaml", 3)
    assert (mine.kind, mine.cwd) == ("session", tmp_path)


def test_a_profile_is_laid_over_the_project(tmp_path: Path) -> None:
    """Tables are added to, secrets stay secret, everything else is replaced."""
    read = project(tmp_path, profile="ci")
    assert [(each.name, each.kind) for each in read.apps.values()] == [
        ("staging", "demo"),
        ("phone", "launch"),
        ("mine", "session"),
        ("extra", "demo"),
    ]
    assert read.vars["email"] == "bob@example.com"
    assert "note" in read.vars
    assert read.scenarios == ("all/**",)
    assert read.env_files == (tmp_path / "ci.env",)
    assert read.secrets == ("PASSWORD", "TOKEN")
    assert (read.retries, read.timeout, read.fail_on_flaky) == (2, 10.0, True)
    assert (read.reports.junit, read.reports.junit_strict) == (tmp_path / "build/e2e.xml", True)


@pytest.mark.parametrize(
    ("text", "kind", "folder"),
    [
        ("demo: true", "demo", None),
        ("session: true", "session", "."),
        ("session: app", "session", "app"),
        ("launch: [flutter, run]", "launch", "."),
        ('uri: "http://127.0.0.1:1/"', "uri", None),
    ],
)
def test_long_forms_of_apps(tmp_path: Path, text: str, kind: str, folder: str | None) -> None:
    read = project(tmp_path, f"apps: {{it: {{{text}}}}}\n")
    assert (read.apps["it"].kind, read.default_app) == (kind, "it")
    assert read.apps["it"].cwd == (None if folder is None else tmp_path / folder)


def test_an_empty_file_is_a_project(tmp_path: Path) -> None:
    """It says where the results go."""
    assert project(tmp_path, "# nothing yet\n").artifacts == tmp_path / "tapir-results"
    assert load_project_bytes(b"", "p", tmp_path / "p", profile="ci").project is None


def test_several_apps_have_no_default(tmp_path: Path) -> None:
    """Nothing is guessed where there is a choice."""
    assert project(tmp_path, "apps: {a: demo, b: demo}\n").default_app is None


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (only,) = load_project(tmp_path / "nowhere.yaml").diagnostics
    assert only.message == "the project file cannot be read: no such file or directory"


def test_the_command_line_wins(tmp_path: Path) -> None:
    base, ci = project(tmp_path), project(tmp_path, profile="ci")
    assert (settle(Given(), None).timeout, settle(Given(), None).retries) == (None, 0)
    assert (settle(Given(), base).timeout, settle(Given(), base).retries) == (10.0, 1)
    assert settle(Given(), ci).retries == 2
    assert settle(Given(retries=0, timeout=1.0), ci).retries == 0
    assert settle(Given(retries=0, timeout=1.0), ci).timeout == 1.0
    assert settle(Given(fail_on_flaky=True), base).fail_on_flaky


STEPS = "steps: [dismiss_modals]\n"


@pytest.mark.parametrize(
    ("own", "given", "seconds"),
    [
        ("", Given(), 10.0),
        ("timeout: 2s\n", Given(), 2.0),
        ("timeout: 5s\n", Given(), 5.0),
        ("", Given(timeout=1.0), 1.0),
        ("timeout: 2s\n", Given(timeout=1.0), 1.0),
    ],
)
def test_timeouts(tmp_path: Path, own: str, given: Given, seconds: float) -> None:
    """A scenario's own wins over the project's, the command line over both."""
    read = project(tmp_path)
    scenario = with_settings(check(own + STEPS), settle(given, read), read, {}).scenario
    assert scenario is not None
    assert scenario.timeout == seconds


def test_vars_and_secrets(tmp_path: Path) -> None:
    """Own vars win; a secret counts where it is set, or spoken of."""
    read = project(tmp_path)

    def applied(text: str, environ: dict[str, str]) -> Loaded:
        loaded = check(text, names=[*read.vars, *read.secrets])
        return with_settings(loaded, settle(Given(), read), read, environ)

    mine = applied(f"vars: {{email: eve@example.com}}\n{STEPS}", {}).scenario
    assert mine is not None
    assert mine.vars["email"] == "eve@example.com"
    assert list(mine.vars) == ["email", "note"]
    assert mine.secrets == ()
    uses = applied('steps: [{tap: "{{ PASSWORD }}"}]\n', {}).scenario
    assert uses is not None
    assert uses.secrets == ("PASSWORD",)
    has = applied(STEPS, {"PASSWORD": "x"}).scenario
    assert has is not None
    assert has.secrets == ("PASSWORD",)


KNOWN = "exceptions: {policy: fail, allow: [{contains: a, reason: r}]}\n"
CI = "profiles: {ci: {exceptions: {policy: warn, allow: [{contains: b, reason: s}]}}}\n"
MINE = "exceptions: {allow: [{contains: c, reason: t}]}\n"


@pytest.mark.parametrize(
    ("text", "profile", "own", "policy", "allowed"),
    [
        ("{}\n", None, "", None, []),
        ("exceptions: fail\n", None, "", "fail", []),
        ("exceptions: fail\n", None, "exceptions: ignore\n", "ignore", []),
        (KNOWN, None, "", "fail", ["r"]),
        (KNOWN, None, "exceptions: warn\n", "warn", ["r"]),
        (KNOWN, None, MINE, "fail", ["r", "t"]),
        (KNOWN + CI, "ci", MINE, "warn", ["r", "s", "t"]),
        (KNOWN + CI, None, "", "fail", ["r"]),
        (KNOWN + "profiles: {ci: {exceptions: ignore}}\n", "ci", "", "ignore", ["r"]),
    ],
)
def test_errors_of_the_app(
    tmp_path: Path,
    text: str,
    profile: str | None,
    own: str,
    policy: str | None,
    allowed: list[str],
) -> None:
    """The innermost policy decides; known errors are known to all that is inside."""
    read = project(tmp_path, text, profile)
    scenario = with_settings(check(own + STEPS), settle(Given(), read), read, {}).scenario
    assert scenario is not None
    assert scenario.exceptions.policy == policy
    assert [each.reason for each in scenario.exceptions.allow] == allowed


def test_apps_of_scenarios_are_known(tmp_path: Path) -> None:
    """A misspelt app is told before anything is played."""
    read = project(tmp_path)
    for good in ("staging", "demo", "http://127.0.0.1:1/"):
        assert with_known_app(check(f"app: {good}\n{STEPS}"), read).scenario is not None
    wrong = with_known_app(check(f"name: x\napp: 'stagin' # no\n{STEPS}"), read)
    assert wrong.scenario is None
    assert str(wrong.diagnostics[0]) == 'test.yaml:2:6: error: p.yaml has no app "stagin"'
    assert wrong.diagnostics[0].hint == 'did you mean "staging"?'
    without = replace(read, apps={})
    assert with_known_app(check(f"app: stagin\n{STEPS}"), without).scenario is not None


def test_the_project_is_upwards(tmp_path: Path) -> None:
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    (inner / "x.yaml").touch()
    assert find_project([inner]) is None
    (tmp_path / "a/tapir-replay.yml").touch()
    assert find_project([inner / "x.yaml", inner, tmp_path]) == tmp_path / "a/tapir-replay.yml"
    (inner / "tapir-replay.yaml").touch()
    assert find_project([inner / "x.yaml"]) == inner / "tapir-replay.yaml"
    with pytest.raises(TwoProjects):
        find_project([inner, tmp_path / "a"])


def test_the_schema_and_the_model_agree() -> None:
    """What the schema lists is what the code knows."""
    schema = project_schema()
    app = schema["$defs"]["app"]["properties"]
    assert set(KINDS) < set(app)
    assert app["reset"]["enum"] == list(RESETS)
    assert schema["properties"]["selectors"]["items"]["enum"] == list(SELECTORS)
    assert schema["properties"]["exceptions"] == scenario_schema()["properties"]["exceptions"]
    assert set(schema["$defs"]["profile"]["properties"]) == set(schema["properties"]) - {
        "$schema",
        "profiles",
    }
