# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What utils/quickstart, utils/check and utils/update-docs share: finding or
# installing the toolchain, the Python environment, configure and build.
# Sourced with the repository root as working directory.
#
# Set before calling, all optional:
#   MLIR_DIR      folder with MLIRConfig.cmake of an LLVM/MLIR 22.1
#   PYTHON        a Python 3.11 or newer with headers and venv
#   SKEW_JOBS     parallel compile jobs (default: one per processor)
#   SKEW_NO_INSTALL=1   never call apt, only say what is missing

skew_root=$PWD
skew_build=$skew_root/build
skew_venv=$skew_build/venv
skew_jobs=${SKEW_JOBS:-$(nproc 2>/dev/null || echo 2)}

skew_say() { printf '== %s\n' "$*"; }

skew_die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Seconds as "3 m 07 s".
skew_duration() { printf '%d m %02d s' $(($1 / 60)) $(($1 % 60)); }

# Sets MLIR_DIR if an MLIR 22.1 can be found.
skew_find_mlir() {
  local candidate
  for candidate in "${MLIR_DIR:-}" \
      "$(llvm-config-22 --cmakedir 2>/dev/null | sed 's,/llvm$,/mlir,')" \
      /usr/lib/llvm-22/lib/cmake/mlir; do
    if [ -n "$candidate" ] && [ -f "$candidate/MLIRConfig.cmake" ] &&
        grep -q '^set(LLVM_VERSION 22\.1' "$candidate/MLIRConfig.cmake"; then
      MLIR_DIR=$candidate
      # The prefix from the config, as MLIRConfig.cmake itself finds it.
      skew_llvm_bin=$(cd "$candidate/../../../bin" 2>/dev/null && pwd)
      export MLIR_DIR
      return 0
    fi
  done
  return 1
}

# True if $1 is a Python that can build and run our module.
skew_python_works() {
  "$1" - 2>/dev/null <<'PY'
import ensurepip, os, sys, sysconfig, venv
header = os.path.join(sysconfig.get_path("include"), "Python.h")
sys.exit(not (sys.version_info >= (3, 11) and os.path.exists(header)))
PY
}

# Sets PYTHON to the first interpreter that works.
skew_find_python() {
  local candidate
  for candidate in "${PYTHON:-}" /usr/bin/python3 python3 python3.13 \
      python3.12 python3.11; do
    if [ -n "$candidate" ] && command -v "$candidate" >/dev/null &&
        skew_python_works "$candidate"; then
      PYTHON=$(command -v "$candidate")
      export PYTHON
      return 0
    fi
  done
  return 1
}

skew_have_cmake() {
  cmake --version 2>/dev/null | awk 'NR == 1 { split($3, v, ".")
    exit !(v[1] > 3 || (v[1] == 3 && v[2] >= 21)) }
    END { if (NR == 0) exit 1 }'
}

skew_have_gtest() {
  [ -f /usr/include/gtest/gtest.h ] || [ -n "${GTest_DIR:-}${GTEST_ROOT:-}" ]
}

# True if clang can link a program with sanitizers (its runtime is a package of
# its own).
skew_have_clang() {
  command -v clang++-22 >/dev/null &&
    echo 'int main() {}' | clang++-22 -fsanitize=address,undefined -x c++ - \
      -o "$skew_log_dir/sanitizer-probe" 2>/dev/null
}

# Prints one line per missing thing: "what|Debian packages|how to point at it".
# With the argument `clang`, what the sanitizer build needs as well.
skew_missing() {
  skew_find_mlir ||
    echo "LLVM and MLIR 22.1 with CMake files|llvm-22-dev libmlir-22-dev mlir-22-tools|set MLIR_DIR to the folder of MLIRConfig.cmake"
  if skew_find_mlir; then
    [ -x "$skew_llvm_bin/mlir-tblgen" ] ||
      echo "mlir-tblgen beside that MLIR|mlir-22-tools|install it in $skew_llvm_bin"
    [ -x "$skew_llvm_bin/FileCheck" ] && [ -e "$skew_llvm_bin/lit" ] ||
      echo "lit and FileCheck beside that MLIR|llvm-22-tools|install them in $skew_llvm_bin"
  else
    echo "lit and FileCheck of LLVM 22|llvm-22-tools|they are looked for beside MLIR"
  fi
  skew_find_python ||
    echo "Python 3.11 or newer with headers and venv|python3 python3-venv python3-dev|set PYTHON to the interpreter"
  skew_have_cmake || echo "cmake 3.21 or newer|cmake|put it on PATH"
  command -v ninja >/dev/null || echo "ninja|ninja-build|put it on PATH"
  command -v "${CXX:-g++}" >/dev/null || echo "a C++17 compiler|g++|set CXX and CC"
  command -v git >/dev/null || echo "git|git|put it on PATH"
  command -v xz >/dev/null || echo "xz|xz-utils|put it on PATH"
  skew_have_gtest || echo "GoogleTest|libgtest-dev|set GTest_DIR"
  if [ "${1:-}" = clang ]; then
    skew_have_clang ||
      echo "clang 22 with its sanitizers|clang-22 libclang-rt-22-dev|put clang++-22 on PATH"
  fi
  # ccache only saves time, so its absence alone stops nothing.
}

# Installs with apt what skew_missing lists, or says what is missing and exits.
# Takes the argument of skew_missing.
skew_require_tools() {
  local missing packages sudo=""
  missing=$(skew_missing "$@")
  packages=$(printf '%s\n' "$missing" | cut -d'|' -f2)
  if [ -n "$missing" ] && [ -z "${SKEW_NO_INSTALL:-}" ] &&
      command -v apt-get >/dev/null; then
    if [ "$(id -u)" -ne 0 ]; then
      if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        sudo=sudo
      else
        sudo=no
      fi
    fi
    if [ "$sudo" != no ]; then
      command -v ccache >/dev/null || packages="$packages ccache"
      packages=$(printf '%s ' $packages)
      skew_say "installing with apt: $packages"
      # A failed update may only mean a stale third-party source.
      $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -q \
        >"$skew_log_dir/apt.log" 2>&1 || true
      # shellcheck disable=SC2086
      if ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
          --no-install-recommends $packages >>"$skew_log_dir/apt.log" 2>&1; then
        printf 'apt could not install them; its last words (all: %s):\n' \
          "$skew_log_dir/apt.log" >&2
        grep '^E:' "$skew_log_dir/apt.log" >&2 ||
          tail -n 5 "$skew_log_dir/apt.log" >&2
      fi
      hash -r
      missing=$(skew_missing "$@")
    fi
  fi
  if [ -n "$missing" ]; then
    {
      echo "error: this machine lacks:"
      printf '%s\n' "$missing" | while IFS='|' read -r what _ how; do
        printf '  - %s (or %s)\n' "$what" "$how"
      done
      echo "On Debian 12 (with its security suite) all of it comes with:"
      echo "  apt-get install $(printf '%s\n' "$missing" | cut -d'|' -f2 |
        tr ' ' '\n' | awk '!seen[$0]++' | tr '\n' ' ')"
      echo "Then run the same command again."
    } >&2
    exit 1
  fi
  skew_find_mlir && skew_find_python
}

# Creates build/venv with the pinned packages; nothing to do if it is current.
skew_make_venv() {
  local requirements=$skew_root/python/requirements.txt stamp wanted
  stamp=$skew_venv/.skew-requirements
  wanted=$({ echo "$PYTHON"; cat "$requirements"; } | cksum)
  if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$wanted" ] ||
      ! "$skew_venv/bin/python" -c '' 2>/dev/null; then
    skew_say "making the Python environment build/venv"
    rm -rf "$skew_venv"
    "$PYTHON" -m venv "$skew_venv" || skew_die "$PYTHON could not make a venv"
    if ! "$skew_venv/bin/pip" install -q --disable-pip-version-check \
        -r "$requirements" >"$skew_log_dir/pip.log" 2>&1; then
      tail -n 15 "$skew_log_dir/pip.log" >&2
      skew_die "pip could not install python/requirements.txt (log: $skew_log_dir/pip.log)"
    fi
    printf '%s' "$wanted" >"$stamp"
  fi
  # The module runs from the build tree; the .pth makes it importable.
  local site
  site=$("$skew_venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  printf '%s\n' "$skew_build/python_packages" >"$site/skewopt-build.pth"
  printf '#!%s\nimport sys\n\nfrom skewopt.__main__ import main\n\nsys.exit(main())\n' \
    "$skew_venv/bin/python" >"$skew_venv/bin/skewopt"
  chmod +x "$skew_venv/bin/skewopt"
}

# skew_configure PRESET FOLDER [cmake arguments]
skew_configure() {
  local preset=$1 folder=$2 log=$skew_log_dir/configure-$1.log
  shift 2
  if ! cmake --preset "$preset" -DMLIR_DIR="$MLIR_DIR" \
      -DPython3_EXECUTABLE="$skew_venv/bin/python" "$@" >"$log" 2>&1; then
    # A cache from another compiler, place or MLIR is the usual reason.
    rm -rf "$folder/CMakeCache.txt" "$folder/CMakeFiles"
    if ! cmake --preset "$preset" -DMLIR_DIR="$MLIR_DIR" \
        -DPython3_EXECUTABLE="$skew_venv/bin/python" "$@" >"$log" 2>&1; then
      tail -n 25 "$log" >&2
      printf 'error: cmake could not configure preset %s (log: %s)\n' \
        "$preset" "$log" >&2
      return 1
    fi
  fi
}

# skew_compile PRESET FOLDER [targets]: builds, with ninja's progress shown on a
# terminal and in a log otherwise.
skew_compile() {
  local preset=$1 folder=$2 log=$skew_log_dir/build-$1.log status=0
  shift 2
  if [ -t 1 ]; then
    cmake --build "$folder" -j "$skew_jobs" ${1:+--target "$@"} || status=1
  else
    cmake --build "$folder" -j "$skew_jobs" ${1:+--target "$@"} >"$log" 2>&1 ||
      status=1
    if [ $status -ne 0 ]; then
      grep -nE 'error|FAILED' "$log" | head -n 20 >&2
      printf 'error: the build of preset %s failed (log: %s)\n' \
        "$preset" "$log" >&2
    fi
  fi
  return $status
}

skew_log_dir=$skew_build/logs
mkdir -p "$skew_log_dir" || skew_die "cannot write to $skew_build"
