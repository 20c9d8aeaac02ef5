# shellcheck shell=bash
# What every script here shares: where the project is, how to say things, how many compilers to run at once.

NMT_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
export NMT_ROOT

if [[ -t 1 ]]; then
  say() { printf '\033[1m==> %s\033[0m\n' "$*"; }
else
  say() { printf '==> %s\n' "$*"; }
fi

die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# usage_error TEXT: a mistake on the command line, exit code 2.
usage_error() {
  printf '%s: %s; see %s --help\n' "$(basename "$0")" "$1" "$0" >&2
  exit 2
}

# The comment at the head of the running script is its help.
show_help() { sed -n '2,/^[^#]/{/^[^#]/q;s/^# \{0,1\}//p}' "$0" | sed '${/^$/d}'; }

# handle_help "$@": answers --help and -h wherever they stand.
handle_help() {
  local argument
  for argument in "$@"; do
    if [[ "$argument" == --help || "$argument" == -h ]]; then
      show_help
      exit 0
    fi
  done
}

# Memory this process may still take, in MiB: of the machine, or of its control group where that is less.
available_memory_mib() {
  local available limit used
  available=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
  if [[ -r /sys/fs/cgroup/memory.max && -r /sys/fs/cgroup/memory.current ]]; then
    limit=$(</sys/fs/cgroup/memory.max)
    used=$(</sys/fs/cgroup/memory.current)
    if [[ "$limit" != max ]] && (((limit - used) / 1048576 < available)); then
      available=$(((limit - used) / 1048576))
    fi
  fi
  echo "$available"
}

# Compilers to run at once: NMT_JOBS, else one a core while each has 1.5 GiB (a unit with LibTorch takes about 1).
jobs_count() {
  if [[ -n "${NMT_JOBS:-}" ]]; then
    [[ "$NMT_JOBS" =~ ^[1-9][0-9]*$ ]] || die "NMT_JOBS is '$NMT_JOBS', expected a whole number from 1"
    echo "$NMT_JOBS"
    return
  fi
  local cores memory
  cores=$(nproc)
  memory=$(($(available_memory_mib) / 1536))
  ((memory >= 1)) || memory=1
  echo $((cores < memory ? cores : memory))
}

# run_logged LOG COMMAND...: keeps the output in LOG, shows its end only if the command fails.
run_logged() {
  local log="$1"
  shift
  mkdir -p "$(dirname "$log")"
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    return 1
  fi
}
