# Writes what clang-tidy reads, one line a group as cmake/sources_together.awk prints them with commands
# for keys: FOLDER/batch_N.cpp with an include for each source, FOLDER/compile_commands.json, and on
# standard output one line a group: its file, then its sources.
#
#   awk -v folder=FOLDER -f .ci/tidy_batches.awk GROUPS

BEGIN {
  FS = "\t"
  database = folder "/compile_commands.json"
  print "[" > database
}

{
  file = folder "/batch_" NR ".cpp"
  if (NF == 2) file = $2
  else for (i = 2; i <= NF; ++i) print "#include \"" $i "\"  // NOLINT(bugprone-suspicious-include)" > file
  close(file)
  print (NR > 1 ? "," : "") "{\"directory\": \"" folder "\", \"command\": \"" $1 " -o batch.o -c " file \
    "\", \"file\": \"" file "\"}" > database
  line = file
  for (i = 2; i <= NF; ++i) line = line " " $i
  print line
}

END { print "]" > database }
