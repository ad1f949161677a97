# Puts sources together that clang-tidy can read as one: most of its time goes into the headers that
# all of them include. Reads a compile_commands.json as CMake writes it (one key a line), and takes
# the files listed in the file `chosen`. Writes FOLDER/batch_N.cpp with up to `most` includes and
# FOLDER/compile_commands.json, and prints one line a batch: its file, then its sources.
#
#   awk -v chosen=LIST -v folder=FOLDER -v root=ROOT -v most=12 -f .ci/tidy_batches.awk compile_commands.json
#
# Sources share a batch if their command is the same and they define no name both. What looks like a
# definition is enough: a name too many makes another batch, and a name overlooked makes clang-tidy
# fail on the batch, whose sources are then checked one by one. Nor may they mean different namespaces
# by `test`, for several rooms have one. Vector kernels, which include themselves, stay alone.

BEGIN {
  while ((getline line < chosen) > 0) wanted[root "/" line] = 1
}

/^ *"command": / { command = $0; sub(/^ *"command": "/, "", command); sub(/ -o .*/, "", command) }

/^ *"file": / {
  source = $0
  sub(/^ *"file": "/, "", source)
  sub(/".*/, "", source)
  if (source in wanted) place(source)
  delete wanted[source]  # it may stand in several targets
}

END {
  print "[" > (folder "/compile_commands.json")
  for (b = 1; b <= batches; ++b) {
    file = folder "/batch_" b ".cpp"
    count = split(sources[b], list, " ")
    if (count == 1) {
      file = list[1]
    } else {
      for (i = 1; i <= count; ++i) print "#include \"" list[i] "\"  // NOLINT(bugprone-suspicious-include)" > file
      close(file)
    }
    print (b > 1 ? "," : "") "{\"directory\": \"" folder "\", \"command\": \"" commands[b] " -o batch.o -c " \
      file "\", \"file\": \"" file "\"}" > (folder "/compile_commands.json")
    print file sources[b]
  }
  print "]" > (folder "/compile_commands.json")
  close(folder "/compile_commands.json")
  for (source in wanted) {
    print "no compile command: " source > "/dev/stderr"
    failed = 1
  }
  exit failed
}

function place(source,    names, count, alone, b, i) {
  count = namesOf(source, names)
  alone = count < 0
  for (b = 1; b <= batches; ++b)
    if (!alone && !closed[b] && commands[b] == command && sameTest(b) && fits(b, names, count)) break
  if (b > batches) {
    batches = b
    commands[b] = command
    closed[b] = alone
  }
  sources[b] = sources[b] " " source
  if (meansByTest != "") testOf[b] = meansByTest
  if (++size[b] == most) closed[b] = 1
  for (i = 1; i <= count; ++i) taken[b, names[i]] = meaning[names[i]]
}

function sameTest(b) { return meansByTest == "" || !(b in testOf) || testOf[b] == meansByTest }

function fits(b, names, count,    i) {
  for (i = 1; i <= count; ++i)
    if ((b, names[i]) in taken && (meaning[names[i]] == "" || taken[b, names[i]] != meaning[names[i]])) return 0
  return 1
}

# Sets meansByTest and what names stand for that may be said twice, and returns the number of names that are defined
# outside of any braces that are indented; -1 for a source that stays alone.
function namesOf(source, names,    line, count, alone, alias) {
  meansByTest = ""
  split("", meaning)
  while ((getline line < source) > 0) {
    sub(/\/\/.*/, "", line)
    alias = ""
    if (match(line, /namespace test = [A-Za-z0-9_:]+/)) meansByTest = substr(line, RSTART, RLENGTH)
    else if (meansByTest == "" && line ~ /[^A-Za-z0-9_:]test::/) meansByTest = "its own"
    if (line ~ /^#define TACTUS_LANES_FILE/) alone = 1
    if (line ~ /^#define /) {
      sub(/^#define /, "", line)
      match(line, /^[A-Za-z0-9_]+/)
    } else if (line ~ /^static_assert/) {
      continue
    } else if (line ~ /^INSTANTIATE_TEST_SUITE_P/) {
      match(line, /\([^,]*,[^,]*/)
    } else if (line ~ /^TEST/) {
      sub(/^TEST[_A-Z]*/, "", line)
      match(line, /^[^)]*/)
    } else if (line ~ /^(struct|class|enum class|enum|union) /) {
      sub(/^(struct|class|enum class|enum|union) /, "", line)
      match(line, /^[A-Za-z0-9_]+/)
    } else if (line ~ /^using .*=/) {
      sub(/^using /, "", line)
      alias = line
      match(line, /^[A-Za-z0-9_]+/)
    } else if (line ~ /^using [A-Za-z0-9_:]+;/) {
      alias = line
      sub(/;.*/, "", line)
      match(line, /[A-Za-z0-9_]+$/)
    } else if (line ~ /^(inline |static |thread_local )*(constexpr|const) [^(]*[={]/ || line ~ /^std::[^(]*[={;]/) {
      sub(/[ \[]*[={;\[].*/, "", line)
      match(line, /[A-Za-z0-9_]+$/)
    } else if (line ~ /^[A-Za-z].*\(/) {
      sub(/\(.*/, "", line)
      if (!match(line, /[A-Za-z0-9_]+$/) || (RSTART > 1 && substr(line, RSTART - 1, 1) == ":")) continue
    } else {
      continue
    }
    if (RLENGTH <= 0) continue
    names[++count] = substr(line, RSTART, RLENGTH)
    meaning[names[count]] = alias
  }
  close(source)
  return alone ? -1 : count + 0
}
