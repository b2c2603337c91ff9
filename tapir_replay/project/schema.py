"""The JSON Schema of the project file, in the same style as that of a scenario."""

from __future__ import annotations

from typing import Any

from tapir_replay.scenario.document import Document
from tapir_replay.scenario.schema_app import exception_policy

Schema = dict[str, Any]

ID = "https://raw.githubusercontent.com/tapir-replay/tapir-replay/main/schemas/project.schema.json"

KINDS = ("demo", "uri", "launch", "session")
"""The keys of an app that say how it is reached; one of them is given."""

RESETS = ("none", "overlays", "route", "restart")
GOLDENS = r"[A-Za-z0-9_-]+"
"""The name that stands in the names of goldens."""

SELECTORS = (
    "key", "identifier", "label", "hint", "tooltip", "text", "within", "value", "role", "nth",
)  # fmt: skip
"""The ways the recorder names widgets, in its own order of preference."""

_NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
_APP_NAME = r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$"
_DURATION = r"^\s*[0-9]+(\.[0-9]+)?\s*(ms|s|m)\s*$"


def project_schema() -> Schema:
    """The schema as published: JSON Schema 2020-12, parts named in `$defs`."""
    settings = _settings()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ID,
        "title": "tapir-replay project",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "$schema": {"type": "string", "description": "For editors; not used."},
            **settings,
            "profiles": {
                "type": "object",
                "propertyNames": {"$ref": "#/$defs/app_name"},
                "additionalProperties": {"$ref": "#/$defs/profile"},
                "description": "Other settings under a name, for `--profile NAME`.",
            },
        },
        "$defs": {
            "name": {
                "type": "string",
                "pattern": _NAME,
                "patternErrorMessage": "a name of letters, digits and _",
            },
            "app_name": {
                "type": "string",
                "pattern": _APP_NAME,
                "patternErrorMessage": "a name of letters, digits, _, - and .",
            },
            "duration": {
                "type": "string",
                "pattern": _DURATION,
                "patternErrorMessage": "a duration such as 5s or 300ms",
            },
            "paths": {"type": "array", "items": {"type": "string", "minLength": 1}},
            "app": _app(),
            "profile": {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": False,
                "properties": settings,
            },
        },
    }


def _settings() -> dict[str, Schema]:
    """What a project says, and a profile may say otherwise."""
    return {
        "apps": {
            "type": "object",
            "propertyNames": {"$ref": "#/$defs/app_name"},
            "additionalProperties": {"$ref": "#/$defs/app"},
            "description": "The apps by name: `demo`, an address, `session`, or a map.",
        },
        "default_app": {
            "type": "string",
            "minLength": 1,
            "description": "The app of scenarios that name none. Left out: the only one of `apps`.",
        },
        "scenarios": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "string", "minLength": 1},
            "description": "What is played when no file is named: globs; `!` takes files out.",
        },
        "vars": {
            "type": "object",
            "propertyNames": {"$ref": "#/$defs/name"},
            "description": "Values for `{{ name }}` in all scenarios; theirs win.",
        },
        "env_files": {
            "$ref": "#/$defs/paths",
            "description": "Files of NAME=VALUE lines; what the environment has wins.",
        },
        "secrets": {
            "type": "array",
            "items": {"$ref": "#/$defs/name"},
            "description": "Read from the environment or an env file; masked everywhere.",
        },
        "timeout": {
            "$ref": "#/$defs/duration",
            "description": "For the steps of scenarios that set none; 5s when left out.",
        },
        "retries": {
            "type": "integer",
            "minimum": 0,
            "default": 0,
            "description": "How often a scenario that did not pass is played again.",
        },
        "fail_on_flaky": {
            "type": "boolean",
            "default": False,
            "description": "Whether a scenario that passed only when played again fails the run.",
        },
        "exceptions": exception_policy(),
        "reports": {
            "type": "object",
            "additionalProperties": False,
            "description": "Reports besides those in the folder of the run.",
            "properties": {
                "junit": {
                    "type": "string",
                    "minLength": 1,
                    "description": "Where to write the JUnit XML as well.",
                },
                "junit_strict": {
                    "type": "boolean",
                    "default": False,
                    "description": "Leave out of it what Jenkins' xUnit schema does not allow.",
                },
            },
        },
        "artifacts": {
            "type": "string",
            "minLength": 1,
            "default": "tapir-results",
            "description": "The folder that holds a folder for each run.",
        },
        "goldens": {
            "type": "string",
            "pattern": f"^{GOLDENS}$",
            "patternErrorMessage": "letters, digits, - and _",
            "description": "Whose goldens win: `home.NAME.png` over `home.png`.",
        },
        "selectors": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "string", "enum": list(SELECTORS)},
            "description": "How the recorder names widgets, what it likes best first.",
        },
    }


def _app() -> Schema:
    return {
        "type": ["string", "object"],
        "minLength": 1,
        "minProperties": 1,
        "additionalProperties": False,
        "description": "`demo`, `session` or an address; or one of demo, uri, launch, session.",
        "properties": {
            "demo": {"type": "boolean", "description": "The embedded demo app."},
            "uri": {
                "type": "string",
                "minLength": 1,
                "description": "The address of the VM Service of an app that runs already.",
            },
            "launch": {
                "type": ["string", "array"],
                "minLength": 1,
                "minItems": 1,
                "items": {"type": "string"},
                "description": "The command that starts the app.",
            },
            "session": {
                "type": ["boolean", "string"],
                "minLength": 1,
                "description": "An app that other tools have started: true, or its folder.",
            },
            "device": {
                "type": "string",
                "minLength": 1,
                "description": "The Android device of the address, as `adb devices` lists it.",
            },
            "cwd": {
                "type": "string",
                "minLength": 1,
                "description": "For `launch`: the folder to start it in; left out, the project's.",
            },
            "env": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "For `launch`: added to its environment.",
            },
            "ready_timeout": {
                "$ref": "#/$defs/duration",
                "default": "2m",
                "description": "How long it may take until it answers.",
            },
            "reset": {
                "type": "string",
                "enum": list(RESETS),
                "description": "What is done before each scenario.",
            },
            "route": {
                "type": "string",
                "pattern": "^/",
                "patternErrorMessage": "a route that starts with /",
                "description": "For `reset: route` or `restart`: where to go.",
            },
        },
    }


PROJECT = Document("a project file", project_schema, tables=frozenset({"apps", "profiles"}))
