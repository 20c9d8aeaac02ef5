# shellcheck shell=bash
# For scripts/test_long: a clang-tidy of its own below .cache/, since Debian 12's takes five times as long (it looks into
# LibTorch's headers) and knows fewer faults. Needs common.sh.

CLANG_TIDY_VERSION=23.1.4

# Installs clang-tidy from PyPI once and sets CLANG_TIDY_TOOLS, the folder of its programs.
need_clang_tidy() {
  local place="$NMT_ROOT/.cache/clang-tidy-$CLANG_TIDY_VERSION"
  CLANG_TIDY_TOOLS="$place/clang_tidy/data/bin"
  if ! "$CLANG_TIDY_TOOLS/clang-tidy" --version >/dev/null 2>&1; then
    say "clang-tidy $CLANG_TIDY_VERSION into $place"
    rm -rf "$place"
    python3 -m pip install --quiet --no-deps --target "$place" "clang-tidy==$CLANG_TIDY_VERSION" || return 1
  fi
}
