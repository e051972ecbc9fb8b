"""Examples of requests and answers in the API's description; a test asks the server and compares."""

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "examples.json"


def add_examples(document: dict[str, Any]) -> None:
    """Set the examples of every operation of an OpenAPI document, by its operation id."""
    examples = json.loads(FILE.read_text(encoding="utf-8"))
    for methods in document["paths"].values():
        for operation in methods.values():
            example = examples.get(operation["operationId"])
            if example is None:
                continue
            if "requestBody" in operation:
                operation["requestBody"]["content"]["application/json"]["example"] = example["request"]
            for field in operation.get("parameters", ()):
                if field["name"] in example["request"]:
                    field["example"] = example["request"][field["name"]]
            for status, answer in operation["responses"].items():
                if status.startswith("2") and "application/json" in answer.get("content", {}):
                    answer["content"]["application/json"]["example"] = example["answer"]
