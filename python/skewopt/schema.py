#===- schema.py - versioned JSON into dataclasses ------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Reading of versioned JSON documents: unknown keys are ignored, a missing
key or a wrong kind is an error that names its path, a higher version than
known is refused."""

from __future__ import annotations

import dataclasses
import json
import typing

from .errors import Error


def _kind(value) -> str:
    return {dict: "an object", list: "an array", str: "a string",
            bool: "a boolean", int: "an integer", float: "a number",
            type(None): "null"}.get(type(value), type(value).__name__)


def check_version(document, name: str, version: int) -> None:
    """Raises Error unless `document["schema"]` is `name`/1..`version`."""
    if not isinstance(document, dict):
        raise Error(f"{name} document must be an object, got "
                    f"{_kind(document)}")
    schema = document.get("schema")
    if not isinstance(schema, str) or "/" not in schema:
        raise Error(f'{name} document must have "schema": "{name}/{version}"')
    found, _, number = schema.rpartition("/")
    if found != name or not number.isdigit() or int(number) < 1:
        raise Error(f"schema must be '{name}/{version}', got '{schema}'")
    if int(number) > version:
        raise Error(f"schema '{schema}' is newer than this skewopt reads "
                    f"('{name}/{version}'): update skewopt")


def load(text: str, label: str):
    """JSON text -> object; Error with the place when it is not JSON."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise Error(f"{label}: not JSON: {error}") from None


def read(kind, value, path: str):
    """Converts `value` to `kind` (a dataclass, or a typing form of list,
    tuple, dict, Optional, Any and scalars)."""
    if kind is typing.Any:
        return value
    if dataclasses.is_dataclass(kind):
        return _read_dataclass(kind, value, path)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union or str(origin) == "<class 'types.UnionType'>":
        if value is None and type(None) in args:
            return None
        rest = [arg for arg in args if arg is not type(None)]
        return read(rest[0] if len(rest) == 1 else typing.Any, value, path)
    if origin in (list, tuple):
        if not isinstance(value, list):
            raise Error(f"{path} must be an array, got {_kind(value)}")
        items = [read(args[0], item, f"{path}[{i}]")
                 for i, item in enumerate(value)]
        return origin(items)
    if origin is dict:
        if not isinstance(value, dict):
            raise Error(f"{path} must be an object, got {_kind(value)}")
        return {key: read(args[1], item, f"{path}.{key}")
                for key, item in value.items()}
    if kind is float and isinstance(value, int) and type(value) is not bool:
        return float(value)
    if type(value) is not kind:
        wanted = {str: "a string", int: "an integer", float: "a number",
                  bool: "a boolean"}[kind]
        raise Error(f"{path} must be {wanted}, got {_kind(value)}")
    return value


def _read_dataclass(kind, value, path):
    if not isinstance(value, dict):
        raise Error(f"{path} must be an object, got {_kind(value)}")
    hints = typing.get_type_hints(kind)
    made = {}
    for field in dataclasses.fields(kind):
        key = field.metadata.get("key", field.name)
        if key in value:
            made[field.name] = read(hints[field.name], value[key],
                                    f"{path}.{key}")
        elif (field.default is dataclasses.MISSING
              and field.default_factory is dataclasses.MISSING):
            raise Error(f'{path} must have the key "{key}"')
    return kind(**made)
