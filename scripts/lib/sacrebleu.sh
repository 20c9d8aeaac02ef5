# shellcheck shell=bash
# For scripts that compare with sacreBLEU: a Python environment of its own below .cache/, which git ignores.

SACREBLEU_VERSION=2.6.0

# Installs sacreBLEU from PyPI once and sets SACREBLEU_PYTHON. $1: the project's folder.
need_sacrebleu() {
  local environment="$1/.cache/sacrebleu-$SACREBLEU_VERSION"
  SACREBLEU_PYTHON="$environment/bin/python"
  if ! "$SACREBLEU_PYTHON" -c 'import sacrebleu' 2>/dev/null; then
    echo "Installing sacreBLEU $SACREBLEU_VERSION into $environment" >&2
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet "sacrebleu==$SACREBLEU_VERSION"
  fi
}
