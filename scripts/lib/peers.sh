# shellcheck shell=bash
# For scripts that compare with other translators: JoeyNMT and OpenNMT-py in one Python environment below .cache/. Needs
# common.sh.

# Installs both from PyPI once and sets PEERS. JoeyNMT doesn't name importlib_metadata, and calls a function that later
# SentencePiece packages lack; OpenNMT-py asks for a LibTorch of 2023 but runs on today's.
need_peers() {
  PEERS="$NMT_ROOT/.cache/peers"
  [[ ! -f "$PEERS/installed" ]] || return 0
  say "JoeyNMT and OpenNMT-py into $PEERS" >&2
  python3 -m venv "$PEERS/venv"
  local pip=("$PEERS/venv/bin/pip" install --quiet)
  "${pip[@]}" joeynmt==2.3.0 torch==2.11.0 sentencepiece==0.2.0 importlib_metadata
  "${pip[@]}" configargparse "ctranslate2>=4,<5" flask waitress "pyonmttok>=1.37,<2" rapidfuzz pyahocorasick six pyyaml \
    spacy
  "${pip[@]}" --no-deps OpenNMT-py==3.5.1 fasttext-wheel
  touch "$PEERS/installed"
}
