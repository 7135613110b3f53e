# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Check each line of a file of JSON against a schema: schema.py SCHEMA LINES. Prints "ok", or the first fault.

It knows the keywords that the schemas of docs/ use, and refuses a schema that has another one.
"""
import json
import sys

KNOWN = {"$schema", "title", "description", "type", "required", "additionalProperties", "properties", "items", "minItems", "maxItems",
         "minimum", "enum", "$ref", "$defs"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def check(value, schema, root, path):
    unknown = set(schema) - KNOWN
    if unknown:
        sys.exit(f"the schema has {unknown}, which schema.py does not know")
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    names = schema.get("type", [])
    names = names if isinstance(names, list) else [names]
    if names and not any(is_type(value, name) for name in names):
        sys.exit(f"{path}: {value!r} is no {names}")
    if "enum" in schema and value not in schema["enum"]:
        sys.exit(f"{path}: {value!r} is not one of {schema['enum']}")
    if "minimum" in schema and value < schema["minimum"]:
        sys.exit(f"{path}: {value} is too small")
    if isinstance(value, dict):
        check_object(value, schema, root, path)
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            sys.exit(f"{path}: {len(value)} items")
        for i, item in enumerate(value):
            check(item, schema.get("items", {}), root, f"{path}[{i}]")


def check_object(value, schema, root, path):
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            sys.exit(f"{path}: no {name}")
    for name, member in value.items():
        if name in properties:
            check(member, properties[name], root, f"{path}.{name}")
        elif schema.get("additionalProperties", True) is False:
            sys.exit(f"{path}: {name} is not in the schema")


with open(sys.argv[1], encoding="utf-8") as file:
    top = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    for number, text in enumerate(file, 1):
        check(json.loads(text), top, top, f"line {number}")
print("ok")
