"""What is converted does on the demo app what the flow says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tapir_replay.cli.main import main

FLOW = """\
appId: com.example.demo
env:
  EMAIL: ada@example.com
  SKIPPED: "false"
onFlowComplete:
  - takeScreenshot: end
---
- launchApp
- openLink: /login
- tapOn: Email
- inputText: ${EMAIL}
- tapOn: Password
- inputText: correct-
- inputText: horse
- hideKeyboard
- tapOn:
    text: Sign in
    enabled: true
- extendedWaitUntil:
    visible: Welcome back
    timeout: 3000
- runFlow:
    when:
      visible: '.*the plants'
    commands:
      - assertVisible: '\\d+ tasks'
- repeat:
    while:
      visible:
        text: Delete
        index: 0
    commands:
      - tapOn:
          text: Delete
          index: 0
- runFlow:
    when:
      true: ${SKIPPED}
    commands:
      - tapOn: Nothing like it
- runFlow:
    when:
      true: ${EMAIL}
    commands:
      - assertVisible: No tasks.*
- assertNotVisible: Buy milk
- openLink: /list
- scrollUntilVisible:
    element: Item 20
- runFlow: choose.yaml
"""

PILOT = """\
scenario:
  name: sign_in
steps:
  - include: go.yaml
  - type: {byText: Email, text: ada@example.com}
  - type: {byKey: password, byType: textField, text: correct-horse}
  - label: submit
    tap: {byText: Sign in, byType: button}
  - waitFor: {byText: Welcome back}
  - capture: {logs: false}
"""


@pytest.mark.parametrize("kind", ["maestro", "pilot"])
def test_played(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps, conditions, loops and files that are used."""
    monkeypatch.chdir(tmp_path)
    Path("flow.yaml").write_text(FLOW if kind == "maestro" else PILOT)
    Path("choose.yaml").write_text("- tapOn: Item 20\n- assertVisible: 'Selected: Item 20'\n")
    Path("go.yaml").write_text("steps:\n  - waitFor: {byText: Sign in}\n")
    assert main(["convert", "flow.yaml"]) == 0
    assert main(["run", "scenarios/flow.yaml", "--app", "demo", "--output", "out"]) == 0
