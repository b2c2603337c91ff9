"""What is said of the app in a scenario file: targets, conditions, log lines, errors; as schemas.

See `schema` for how they are shaped.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

ROLES = ("button", "textbox", "checkbox", "link", "heading", "image")
LOG_LEVELS = ("INFO", "WARNING", "ERROR")

TEMPLATE = r"^\s*\{\{[\s\S]*\}\}\s*$"


def or_template(kind: str, expected: str) -> Schema:
    """A value, or a text that is one whole `{{ }}` and becomes one."""
    return {"type": [kind, "string"], "pattern": TEMPLATE, "patternErrorMessage": expected}


def list_or_one(one: Schema) -> Schema:
    kinds = one["type"] if isinstance(one["type"], list) else [one["type"]]
    return {**one, "type": [*kinds, "array"], "items": one, "minItems": 1}


def target() -> Schema:
    return {
        "type": ["string", "object"],
        "minLength": 1,
        "minProperties": 1,
        "additionalProperties": False,
        "description": "A widget: its exact label or text, or what must hold of it.",
        "properties": {
            "key": {"type": "string", "minLength": 1, "description": "Its ValueKey."},
            "identifier": {
                "type": "string",
                "minLength": 1,
                "description": "Its exact semantics identifier; nobody sees it.",
            },
            "label": {"type": "string", "description": "Its exact semantics label."},
            "hint": {"type": "string", "minLength": 1, "description": "Its exact semantics hint."},
            "tooltip": {"type": "string", "minLength": 1, "description": "Its exact tooltip."},
            "text": {"type": "string", "description": "Its exact label, else its Text."},
            "contains": {"type": "string", "minLength": 1, "description": "A part of either."},
            "matches": {"type": "string", "minLength": 1, "description": "A regular expression."},
            "role": {"type": "string", "enum": list(ROLES), "description": "What it is."},
            "value": {"type": "string", "description": "What it holds now."},
            "within": {"$ref": "#/$defs/target", "description": "What it is inside of."},
            "nth": {
                **or_template("integer", "a whole number"),
                "minimum": 0,
                "description": "Which of several, from 0, top to bottom.",
            },
            "ref": {
                "type": "string",
                "pattern": rf"^[eq][0-9]+$|{TEMPLATE}",
                "patternErrorMessage": "a ref such as e5, saved earlier",
                "description": "A ref saved earlier in this scenario.",
            },
        },
    }


def matcher_properties() -> dict[str, Schema]:
    """The matchers, as properties of a map."""
    return {
        "is": {"description": "Equal."},
        "not": {"description": "Not equal, or a matcher that must not hold."},
        "contains": {"description": "A text, list or map holds it."},
        "matches": {"type": "string", "description": "A regular expression finds something."},
        "gt": {"type": ["number", "string"], "description": "Greater."},
        "gte": {"type": ["number", "string"], "description": "Greater or equal."},
        "lt": {"type": ["number", "string"], "description": "Less."},
        "lte": {"type": ["number", "string"], "description": "Less or equal."},
        "in": {"type": ["array", "string"], "description": "One of these."},
        "exists": {"$ref": "#/$defs/flag", "description": "Is there at all, and not null."},
        "length": {"description": "Its length, or a matcher for it."},
    }


def check() -> Schema:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["of"],
        "properties": {
            "of": {"$ref": "#/$defs/target", "description": "Whose."},
            **matcher_properties(),
        },
    }


def conditions() -> Schema:
    targets = {"$ref": "#/$defs/targets"}
    checks = {"$ref": "#/$defs/check"}
    return {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {
            "visible": {**targets, "description": "These show."},
            "gone": {**targets, "description": "These do not show (any more)."},
            "enabled": {**targets, "description": "These can be used."},
            "disabled": {**targets, "description": "These cannot be used."},
            "checked": {**targets, "description": "These are on."},
            "unchecked": {**targets, "description": "These are off."},
            "value": {**checks, "description": "What a field, slider or dropdown holds."},
            "text": {**checks, "description": "What a widget shows."},
            "count": {**checks, "description": "How many there are."},
            "route": {
                "type": ["string", "object"],
                "properties": matcher_properties(),
                "additionalProperties": False,
                "minProperties": 1,
                "description": "Where the app is.",
            },
            "exceptions": {
                "type": ["string", "object"],
                "pattern": "^none$",
                "patternErrorMessage": "none, or {allow: [texts]}",
                "properties": {
                    "allow": {
                        "type": "array",
                        "items": {"type": "string", "minLength": 1},
                        "description": "Errors that hold one of these texts do not count.",
                    }
                },
                "required": ["allow"],
                "additionalProperties": False,
                "description": "The app has recorded no error since the scenario began.",
            },
            "log": {
                "$ref": "#/$defs/lines",
                "description": "The app has written such a line since the scenario began.",
            },
            "snapshot": {
                **_golden(r"\.snap\.ya?ml$", "a file name that ends with .snap.yaml"),
                "description": "The lines of this file are on the screen, in order.",
            },
            "screenshot": _picture(),
        },
    }


def log_line() -> Schema:
    return {
        "type": ["string", "object"],
        "minLength": 1,
        "properties": {
            "is": {"type": "string", "description": "The whole message."},
            "contains": {"type": "string", "description": "A part of it."},
            "matches": {"type": "string", "description": "A regular expression."},
            "level": {
                "type": "string",
                "enum": list(LOG_LEVELS),
                "description": "At least this level.",
            },
        },
        "minProperties": 1,
        "additionalProperties": False,
    }


def log_of_a_step() -> Schema:
    """`log` of a step: by itself it writes a line, beside a verb it is a line of the app."""
    line = list_or_one(log_line())
    text = {"type": "string", "description": "By itself: the line to write into the reports."}
    return {
        **line,
        "properties": {**line["properties"], "text": text},
        "description": "By itself: write a line into the reports. Beside a verb: the app has to "
        "write such a line while the step is done.",
    }


def _golden(pattern: str, expected: str) -> Schema:
    file = {"pattern": pattern, "patternErrorMessage": expected}
    return {
        "type": ["string", "object"],
        **file,
        "properties": {
            "file": {"type": "string", **file, "description": "As seen from this file."},
            "of": {"$ref": "#/$defs/target", "description": "Only this part of the screen."},
        },
        "required": ["file"],
        "additionalProperties": False,
    }


def _picture() -> Schema:
    golden = _golden(r"\.png$", "a file name that ends with .png")
    return {
        **golden,
        "properties": {
            **golden["properties"],
            "tolerance": {
                "type": "string",
                "pattern": r"^\s*([0-9]{1,2}(\.[0-9]+)?|100)\s*%\s*$",
                "patternErrorMessage": "a percentage such as 0.5%",
                "description": "How many of the pixels may differ; 0% when left out.",
            },
            "masks": {
                "type": "array",
                "minItems": 1,
                "items": {"$ref": "#/$defs/target"},
                "description": "What these cover does not count.",
            },
        },
        "description": "The screen looks like this picture.",
    }


def exception_policy() -> Schema:
    words = ["fail", "warn", "ignore"]
    return {
        "type": ["string", "object"],
        "pattern": f"^({'|'.join(words)})$",
        "patternErrorMessage": "fail, warn, ignore, or a map with policy and allow",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {
            "policy": {"type": "string", "enum": words, "description": "Whether they count."},
            "allow": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["reason"],
                    "properties": {
                        "contains": {
                            "type": "string",
                            "minLength": 1,
                            "description": "A part of its type and message.",
                        },
                        "matches": {
                            "type": "string",
                            "minLength": 1,
                            "description": "A regular expression for them.",
                        },
                        "reason": {
                            "type": "string",
                            "minLength": 1,
                            "description": "Why it is allowed.",
                        },
                        "until": {
                            "type": "string",
                            "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                            "patternErrorMessage": "a day such as 2026-12-31",
                            "description": "The last day; after it the error counts.",
                        },
                    },
                },
                "description": "Errors that are known.",
            },
        },
        "description": "What errors of the app mean: `fail` fails the step they happen in.",
    }
