# Puts sources together that a compiler or clang-tidy can read as one: most of the time of either goes
# into the headers that all of them include. Reads lines KEY<TAB>SOURCE and prints one line a group,
# KEY<TAB>SOURCE<TAB>SOURCE..., with up to `most` sources of one key each, or a dozen.
#
#   awk [-v most=N] -f cmake/sources_together.awk LINES
#
# Sources share a group if their key is the same and they define no name both. What looks like a
# definition is enough: a name too many makes another group, and a name overlooked makes the group fail.
# Nor may they mean different namespaces by `test`, for several rooms have one. Vector kernels, which
# include themselves, stay alone.

BEGIN {
  FS = "\t"
  if (!most) most = 12
}

{ place($1, $2) }

END {
  for (b = 1; b <= groups; ++b) print keys[b] sources[b]
}

function place(key, source,    names, count, alone, b, i) {
  count = namesOf(source, names)
  alone = count < 0
  for (b = 1; b <= groups; ++b)
    if (!alone && !closed[b] && keys[b] == key && sameTest(b) && fits(b, names, count)) break
  if (b > groups) {
    groups = b
    keys[b] = key
    closed[b] = alone
  }
  sources[b] = sources[b] "\t" source
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

# Sets meansByTest and what names stand for that may be said twice, and returns the number of names that
# are defined outside of any braces that are indented; -1 for a source that stays alone.
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
    } else if (line ~ /^(inline |static |thread_local )*(constexpr|const) [^(]*[={]/ ||
               line ~ /^std::[^(]*[={;]/) {
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
