# Prints COMMAND<TAB>SOURCE for each of the sources listed in the file `chosen`, from a
# compile_commands.json as CMake writes it (one key a line). A source without a command is an error.
#
#   awk -v chosen=LIST -v root=ROOT -f .ci/tidy_commands.awk compile_commands.json

BEGIN {
  while ((getline line < chosen) > 0) wanted[root "/" line] = 1
}

/^ *"command": / { command = $0; sub(/^ *"command": "/, "", command); sub(/ -o .*/, "", command) }

/^ *"file": / {
  source = $0
  sub(/^ *"file": "/, "", source)
  sub(/".*/, "", source)
  if (source in wanted) print command "\t" source
  delete wanted[source]  # it may stand in several targets
}

END {
  for (source in wanted) {
    print "no compile command: " source > "/dev/stderr"
    failed = 1
  }
  exit failed
}
