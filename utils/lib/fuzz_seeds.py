# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fuzz_seeds.py FOLDER [whole]: lays out what utils/fuzz makes mutants of."""

import lzma
import pathlib
import sys

SOURCES = ("Frontend", "Dialect", "Analysis", "Conversion", "Target", "Tools")
# The one graph with each expert apart is 20 times the others.
TOO_LARGE = ("separate",)


def main():
    folder = pathlib.Path(sys.argv[1])
    whole = len(sys.argv) > 2
    test = pathlib.Path(__file__).resolve().parents[2] / "test"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.mlir"):
        old.unlink()
    if whole:
        packed = [path for name in ("graphs", "coverage")
                  for path in sorted((test / "Inputs" / name).glob("*.mlir.xz"))]
        plain = []
    else:
        packed = sorted((test / "Inputs" / "roles").glob("*.mlir.xz"))
        plain = [test / "Inputs" / "steps" / "small.mlir"]
        for source in SOURCES:
            plain += sorted((test / source).rglob("*.mlir"))
    for path in packed:
        if any(word in path.name for word in TOO_LARGE):
            continue
        # skew-fuzz draws graph-* more often than their number tells.
        group = path.parent.name.removesuffix("s")
        (folder / f"{group}-{path.name.removesuffix('.xz')}").write_bytes(
            lzma.decompress(path.read_bytes()))
    for path in plain:
        name = "-".join(path.relative_to(test).parts)
        (folder / name).write_bytes(path.read_bytes())


main()
