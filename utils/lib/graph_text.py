# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training graphs as text: reading them, taking their names away, and reading
what raising wrote on them. For tests and utils; nothing but the standard
library."""

import lzma
import random
import re

# Locations nest three deep at most: callsite(name(file) at file).
_INNER = r'(?:"(?:\\.|[^"\\])*"|[^()"])'
for _ in range(3):
    _INNER = r'(?:"(?:\\.|[^"\\])*"|[^()"]|\(%s*\))' % _INNER
LOCATION = re.compile(r"\s*\bloc\(%s*\)" % _INNER)


def read(path):
    """The text of a graph, compressed or not."""
    opened = lzma.open if str(path).endswith(".xz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        return file.read()


def without_locations(text):
    return LOCATION.sub("", re.sub(r"^#loc.*\n", "", text, flags=re.M))


def strip(text):
    """Without anything that names or pairs arguments: locations, result names,
    donation."""
    text = without_locations(text)
    text = re.sub(r"tf\.aliasing_output = \d+ : i32(, )?", "", text)
    text = re.sub(r'jax\.result_info = "(\\.|[^"\\])*"(, )?', "", text)
    text = re.sub(r"jax\.buffer_donor = true(, )?", "", text)
    text = text.replace(", }", "}")
    assert "loc(" not in text and "aliasing" not in text
    assert "result_info" not in text
    return text


def shuffle_names(text, seed=0):
    """Names that lie: those of the arguments and those of the results of the
    entry function are permuted among themselves."""
    line = next(l for l in text.splitlines() if l.lstrip().startswith("^bb0("))
    draw = random.Random(seed)
    names = re.findall(r"loc\((%s*)\)" % _INNER, line)
    draw.shuffle(names)
    left = iter(names)
    mixed = re.sub(r"loc\(%s*\)" % _INNER, lambda m: f"loc({next(left)})", line)
    text = text.replace(line, mixed, 1)
    info = re.findall(r'jax\.result_info = ("(?:\\.|[^"\\])*")', text)
    draw.shuffle(info)
    rest = iter(info)
    return re.sub(r'jax\.result_info = "(?:\\.|[^"\\])*"',
                  lambda m: f"jax.result_info = {next(rest)}", text)


_TOKEN = re.compile(
    r'\s*("(?:\\.|[^"\\])*"|array<i64(?:: [^>]*)?>'
    r'|#\w+\.\w+<[^>]*>|[\[\]{},=]|[^\s\[\]{},=]+)')


def _parse(text, position):
    """The attribute that starts at `position`, as Python values."""

    def peek():
        return _TOKEN.match(text, position).group(1)

    def take():
        nonlocal position
        match = _TOKEN.match(text, position)
        position = match.end()
        return match.group(1)

    def value():
        token = take()
        if token == "[":
            items = []
            while peek() != "]":
                items.append(value())
                if peek() == ",":
                    take()
            take()
            return items
        if token == "{":
            entries = {}
            while peek() != "}":
                key = take()
                assert take() == "=", key
                entries[key] = value()
                if peek() == ",":
                    take()
            take()
            return entries
        if token[0] == '"':
            # The printer escapes bytes as \XX.
            raw = re.sub(
                rb"\\([0-9A-F]{2}|.)",
                lambda m: bytes([int(m[1], 16)]) if len(m[1]) == 2 else m[1],
                token[1:-1].encode())
            return raw.decode()
        if token.startswith("#"):
            return token
        if token.startswith("array<i64"):
            return [int(x) for x in re.findall(r"-?\d+", token[9:])]
        if peek() == ":":
            take()
            take()
        return float(token) if re.search(r"[.eE]", token) else int(token)

    return value()


def attribute(text, name):
    """Attribute `name` of the first op that has it."""
    return _parse(text, text.index(name + " = ") + len(name) + 3)
