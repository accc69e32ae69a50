# What the lanes, test/run and examples/quickstart share. Sourced, from the root
# of the tree.
#
# Nothing here depends on a terminal, on standard input, on a home folder that
# can be written, on warm caches, or on files outside of the tree.

exec < /dev/null
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
unset CDPATH GTEST_FILTER LIT_FILTER LIT_OPTS CXXFLAGS CFLAGS LDFLAGS
python=/usr/bin/python3
lit=/usr/lib/llvm-22/bin/lit
mkdir -p build

# Bytes that may be used, also in a container.
available_memory() {
  local memory limit file
  memory=$(($(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo) * 1024))
  for file in /sys/fs/cgroup/memory.max \
    /sys/fs/cgroup/memory/memory.limit_in_bytes; do
    limit=$(cat "$file" 2> /dev/null) || continue
    [[ $limit =~ ^[0-9]+$ ]] && [ "$limit" -lt "$memory" ] && memory=$limit
  done
  echo "$memory"
}

# As many compilers at a time as processors, but none without 1.5 GiB: in a
# small container the kernel would end one of them.
count_jobs() {
  local jobs most
  jobs=$(nproc)
  most=$(($(available_memory) / (1536 * 1024 * 1024)))
  [ "$most" -ge 1 ] || most=1
  [ "$jobs" -le "$most" ] || jobs=$most
  echo "$jobs"
}
jobs=$(count_jobs)
[[ $jobs =~ ^[1-9][0-9]*$ ]] || jobs=2

# ccache must be able to write: in the build folder where the home is closed.
if command -v ccache > /dev/null &&
  ! mkdir -p "${CCACHE_DIR:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/ccache}" \
    2> /dev/null; then
  export CCACHE_DIR=$PWD/build/ccache
fi

# FFTW's wisdom of test programs stays in the build folder. Their other files lie
# in memory where there is plenty: programs sync what they write, for which a
# disk takes some 20 ms a file.
use_test_caches() {
  export XDG_CACHE_HOME=$PWD/build/cache
  mkdir -p "$XDG_CACHE_HOME"
  local room folder
  room=$(df --output=avail -k /dev/shm 2> /dev/null | tail -n 1)
  [ "${room:-0}" -ge 10000000 ] && [ "$(available_memory)" -ge 14000000000 ] || return 0
  folder=$(mktemp -d /dev/shm/pmc-tests.XXXXXX) || return 0
  # shellcheck disable=SC2064
  trap "rm -rf '$folder'" EXIT
  mkdir "$folder/tmp" && export PMC_TEST_FILES=$folder/lit TMPDIR=$folder/tmp
}

passed=0 failed=0 skipped=0
declare -A background=() # what still counts tests, by name
add() {
  passed=$((passed + ${1:-0}))
  failed=$((failed + ${2:-0}))
  skipped=$((skipped + ${3:-0}))
}

# The last line of everything that counts tests, and its exit code.
finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ] && [ $((passed + skipped)) -gt 0 ]
  exit
}

# Ends the script: without this nothing else can be tested.
give_up() {
  local name
  for name in "${!background[@]}"; do
    join "$name"
  done
  echo "FAILED: $*"
  add 0 1 0
  finish
}

lap_begin=$SECONDS
lap() {
  echo "== $1: $((SECONDS - lap_begin)) s"
  lap_begin=$SECONDS
}

# configure_and_build PRESET FOLDER [TARGET...]
configure_and_build() {
  local preset=$1 folder=$2
  local log=$folder/build.log
  shift 2
  mkdir -p "$folder"
  if [ ! -f "$folder/build.ninja" ]; then
    cmake --preset "$preset" > "$log" 2>&1 || { cat "$log"; return 1; }
  fi
  local targets=()
  [ $# -eq 0 ] || targets=(--target "$@")
  # One line a minute at most where nobody watches; all of it if it fails.
  cmake --build "$folder" -j "$jobs" "${targets[@]}" > "$log" 2>&1 &
  local pid=$! waited=0
  while kill -0 "$pid" 2> /dev/null; do
    sleep 1
    waited=$((waited + 1))
    [ $((waited % 60)) -ne 0 ] || tail -n 1 "$log"
  done
  wait "$pid" && return 0
  grep -E -A 25 '^FAILED:|error:|ninja: |Error' "$log" | head -n 200
  tail -n 5 "$log"
  return 1
}

# in_background NAME COMMAND...: a command that adds tests, beside what follows.
# join NAME waits for it, says what it said and adds what it added.
in_background() {
  local name=$1
  shift
  rm -f "build/$name.counts"
  (
    passed=0 failed=0 skipped=0
    "$@" > "build/$name.said" 2>&1
    echo "$passed $failed $skipped" > "build/$name.counts"
  ) &
  background[$name]=$!
}

join() {
  wait "${background[$1]}"
  unset "background[$1]"
  cat "build/$1.said"
  # shellcheck disable=SC2046
  if [ -s "build/$1.counts" ]; then
    add $(cat "build/$1.counts")
  else
    echo "FAILED: $1 ended before it had counted"
    add 0 1 0
  fi
}

# run_gtests PROGRAM NAME: adds its cases, says how many it skips and why. A
# program that dies counts as one failure more. Many cases wait for ranks that
# do not come: they are run in parts beside each other.
run_gtests() {
  local report=$PWD/build/$2 parts=3 pids=() states=() counts part
  for ((part = 0; part < parts; ++part)); do
    rm -f "$report.$part.json"
    GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$part timeout -k 10 1200 "$1" \
      --gtest_brief=1 --gtest_output="json:$report.$part.json" > "$report.$part.log" 2>&1 &
    pids+=($!)
  done
  for ((part = 0; part < parts; ++part)); do
    wait "${pids[part]}"
    states+=($?)
    [ "${states[part]}" -eq 0 ] || grep -v '^Running main' "$report.$part.log" | tail -n 300
    [ "${states[part]}" -ne 124 ] || echo "FAILED: $2 took more than 20 minutes"
  done
  counts=$($python - "$report" "$2" "${states[@]}" <<'EOP'
import collections, json, sys
report, name, *states = sys.argv[1:]
cases, log, died = [], [], 0
for part, status in enumerate(states):
    try:
        suites = json.load(open(f"{report}.{part}.json"))["testsuites"]
    except (OSError, ValueError):
        died += 1
        continue
    own = [case for suite in suites for case in suite["testsuite"]
           if case.get("status", "RUN") == "RUN"]
    died += status != "0" and not any("failures" in case for case in own)
    cases += own
    log += open(f"{report}.{part}.log", errors="replace").read().splitlines()
failed = sum("failures" in case for case in cases)
skipped = sum(case.get("result") == "SKIPPED" for case in cases)
reasons = collections.Counter(
    reason for line, reason in zip(log, log[1:]) if line.endswith(": Skipped"))
for reason, count in reasons.items():
    print(f"skipped: {count} of {name} ({reason})", file=sys.stderr)
print(len(cases) - failed - skipped, failed + died, skipped)
EOP
  )
  # shellcheck disable=SC2086
  add $counts
}

# run_lit FOLDER NAME [OPTION...]: adds its tests, names those it skips and why.
# A failure prints the test's commands and output. One test more at a time than
# processors: some wait for a signal or for ranks.
run_lit() {
  local folder=$1 report=$PWD/build/$2.json counts status
  shift 2
  rm -f "$report"
  timeout -k 10 "${PMC_LIT_SECONDS:-3200}" \
    "$lit" -j $((jobs + 1)) -v --order=lexical --output "$report" "$@" "$folder" \
    > "$report.log" 2>&1
  status=$?
  counts=$($python - "$report" "$report.log" "$status" <<'EOP'
import collections, json, sys
report, log, status = sys.argv[1:]
try:
    tests = json.load(open(report))["tests"]
except (OSError, ValueError):
    print(open(log, errors="replace").read()[-20000:], file=sys.stderr)
    print("FAILED: lit ended with", status, "and without a report"
          + (": out of time" if status == "124" else ""), file=sys.stderr)
    print(0, 1, 0)
    raise SystemExit
codes = collections.Counter(test["code"] for test in tests)
passed = codes["PASS"] + codes["XFAIL"] + codes["FLAKYPASS"]
skipped = codes["UNSUPPORTED"] + codes["SKIPPED"]
bad = [t for t in tests if t["code"] in ("FAIL", "XPASS", "UNRESOLVED", "TIMEOUT")]
for test in bad:
    print("FAILED:", test["name"], file=sys.stderr)
    print(test.get("output", "")[-6000:], file=sys.stderr)
for test in tests:
    if test["code"] == "UNSUPPORTED":
        reason = test.get("output", "").strip().splitlines()
        print("skipped:", test["name"], "(" + (reason[-1] if reason else
              "not supported here") + ")", file=sys.stderr)
failed = len(bad)
if status != "0" and not failed:
    failed = 1
    print(open(log, errors="replace").read()[-5000:], file=sys.stderr)
print(passed, failed, skipped)
EOP
  )
  # shellcheck disable=SC2086
  add $counts
}
