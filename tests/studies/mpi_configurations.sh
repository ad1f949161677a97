#!/usr/bin/env bash
# mpi_configurations.sh PROGRAM MPIRUN: one rank, two ranks, and two that are killed and begin again
# write the same bytes.
set -euo pipefail
program=$1 mpirun=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
what=(--pair box@1000 torus@1000 --classes d0.05 v0.05 --poses 120 --threads 1)
# As root, and with more ranks than cores, Open MPI wants to be told.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
two=("$mpirun" --oversubscribe -n 2 "$program")

"$program" "$folder/one" "${what[@]}"
"${two[@]}" "$folder/two" "${what[@]}"
cmp "$folder/one" "$folder/two"

# Of mpirun and of its ranks, which are in a group of their own and outlive it for a while: with time
# enough to end what they do.
killedOnes() { grep -lsF -- "$folder/killed" /proc/[0-9]*/cmdline | cut -d / -f 3 || true; }

# Killed when some are there and some are not. On a busy machine all may be done before this sees any:
# then the next attempt.
for _ in $(seq 20); do
  rm -rf "$folder/killed" "$folder/killed.parts"
  "${two[@]}" "$folder/killed" "${what[@]}" &
  started=$!
  for _ in $(seq 2000); do
    lines=$({ cat "$folder"/killed.parts/* 2>/dev/null || true; } | wc -l)
    [ "$lines" -lt 8 ] || break
    [ ! -e "$folder/killed" ] || break
    sleep 0.005
  done
  for _ in $(seq 100); do
    # shellcheck disable=SC2046  # numbers; the one of grep itself has gone
    kill -KILL $(killedOnes) 2>/dev/null || true
    kill -0 "$started" 2>/dev/null || break
  done
  wait "$started" 2>/dev/null || true
  [ -e "$folder/killed" ] || break
done
[ ! -e "$folder/killed" ]
"${two[@]}" "$folder/killed" "${what[@]}" 2>"$folder/said"
left=$(grep -oE '^[0-9]+ configurations to find' "$folder/said" | cut -d ' ' -f 1)
[ "$left" -gt 0 ] && [ "$left" -lt 240 ]  # it went on from where it was
cmp "$folder/one" "$folder/killed"
[ ! -e "$folder/killed.parts" ]
