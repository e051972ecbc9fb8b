"""The OpenAPI text as rows that a template can show: no script, no outside host."""

import json
from typing import Any

_METHODS = ("get", "post")


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one entry an operation: method, path, what it does, its fields, its answers, an example."""
    found = []
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                found.append(_operation(document, path, method, methods[method]))
    return found


def _operation(document: dict[str, Any], path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    fields = [_field(document, one["name"], one["schema"], one.get("required", False), one.get("description", ""))
              for one in operation.get("parameters", ())]  # fmt: skip
    example = ""
    if "requestBody" in operation:
        schema = _resolved(document, operation["requestBody"]["content"]["application/json"]["schema"])
        required = schema.get("required", ())
        fields += [_field(document, name, one, name in required, "") for name, one in schema["properties"].items()]
        examples = {name: one["examples"][0] for name, one in schema["properties"].items() if "examples" in one}
        example = json.dumps(examples, ensure_ascii=False)
    answers = []
    for status, answer in operation["responses"].items():
        kinds = answer.get("content", {})
        schema = kinds.get("application/json", {}).get("schema", {})
        answers.append({"status": status, "description": answer["description"], "fields": _answer(document, schema)})
    return {
        "id": f"{method}-{path.strip('/').replace('/', '-').replace('{', '').replace('}', '')}",
        "method": method.upper(),
        "path": path,
        "description": operation.get("description", ""),
        "fields": fields,
        "answers": answers,
        "example": example,
    }


def _answer(document: dict[str, Any], schema: dict[str, Any]) -> list[dict[str, Any]]:
    schema = _resolved(document, schema.get("items", schema))
    return [_field(document, name, one, True, "") for name, one in schema.get("properties", {}).items()]


def _resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        found: dict[str, Any] = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
        return found
    return schema


def _field(document: dict[str, Any], name: str, schema: dict[str, Any], required: bool, about: str) -> dict[str, Any]:
    return {
        "name": name,
        "type": _kind(document, schema),
        "required": required,
        "default": "" if required or schema.get("default") is None else json.dumps(schema["default"]),
        "description": about or schema.get("description", ""),
    }


def _kind(document: dict[str, Any], schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_kind(document, one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(document, schema['items'])}"
    if "$ref" in schema:
        return "object (" + ", ".join(_resolved(document, schema)["properties"]) + ")"
    bounds = [
        f"{sign} {int(schema[key]):,}"
        for key, sign in (
            ("minimum", "≥"), ("maximum", "≤"), ("exclusiveMaximum", "<"), ("minLength", "length ≥"),
            ("maxLength", "length ≤"),
        )
        if key in schema
    ]  # fmt: skip
    return schema.get("type", "any") + (f" ({', '.join(bounds)})" if bounds else "")
