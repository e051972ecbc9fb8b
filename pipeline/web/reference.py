"""The OpenAPI text as rows that a template can show: no script, no outside host."""

import json
from typing import Any

_METHODS = ("get", "post")


def operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one entry an operation: method, path, what it does, its fields, its answers, examples of both."""
    found = []
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                found.append(_operation(document, path, method, methods[method]))
    return found


def _operation(document: dict[str, Any], path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    parameters = [
        {
            **_field(document, one["name"], one["schema"], one.get("required", False), one.get("description", "")),
            "in": one["in"],
            "list": any(kind.get("type") == "array" for kind in (one["schema"], *one["schema"].get("anyOf", ()))),
            "example": _as_text(one.get("example")),
        }
        for one in operation.get("parameters", ())
    ]
    fields, body = list(parameters), ""
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        schema = _resolved(document, content["schema"])
        required = schema.get("required", ())
        fields += [_field(document, name, one, name in required, "") for name, one in schema["properties"].items()]
        body = json.dumps(content.get("example", {}), ensure_ascii=False)
    answers = []
    for status, answer in operation["responses"].items():
        content = answer.get("content", {}).get("application/json", {})
        fields_of = _answer(document, content.get("schema", {}))
        example = json.dumps(content["example"], ensure_ascii=False, indent=2) if "example" in content else ""
        answers.append(
            {"status": status, "description": answer["description"], "fields": fields_of, "example": example}
        )
    kinds = {kind for answer in operation["responses"].values() for kind in answer.get("content", {})}
    return {
        "id": f"{method}-{path.strip('/').replace('/', '-').replace('{', '').replace('}', '')}",
        "name": operation["operationId"],
        "tag": operation["tags"][0],
        "method": method.upper(),
        "path": path,
        "description": operation.get("description", ""),
        "parameters": parameters,
        "fields": fields,
        "answers": answers,
        "body": body,
        "can_try": not kinds & {"text/event-stream", "text/html"},
    }


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return json.dumps(value) if isinstance(value, bool) else str(value)


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
