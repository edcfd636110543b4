export const artifactHelp = `Opens artifacts: output that was too long for a result, and pictures.

Usage:
  granary artifact ID [--lines RANGES | --bytes RANGES | --path]
  granary artifact ID --grep TEXT [--regex] [--ignore-case] [--lines RANGES]
  granary artifact --list [--json]

ID is the name in a result, with or without artifact:// before it. The artifact
goes to standard output, byte for byte. A picture is not written to a terminal:
the command prints its path instead. An artifact that is still being written
is shown as far as it has come.

Options:
      --lines RANGES  only these lines, counted from 1
      --bytes RANGES  only these bytes, counted from 0
      --grep TEXT     only lines that contain TEXT, each with its number
  -E, --regex         TEXT is a regular expression, as in JavaScript
  -i, --ignore-case   ignore the difference between upper and lower case
      --path          print the path of the file
      --list          all artifacts, the newest first
      --json          the list as one JSON document
      --folder DIR    look in this folder instead of ~/.granary/artifacts
  -h, --help          show this

Examples of RANGES: 10-20 (both included), 7, 50- (up to the end), -5 (the last
five), or several with commas between them. Ranges are printed in their order
in the file, and each line or byte once.

Examples:
  granary artifact agent-1-3 | less
  granary artifact artifact://agent-1-3 --lines 1-20,-20
  granary artifact agent-1-3 --grep Traceback
  granary artifact agent-1-4 > plot.png

Artifacts are removed after a while: see the settings artifacts.keepDays and
artifacts.maxMegabytes.

Exit codes:
  0 success      1 nothing found: no such artifact, line or byte
  2 wrong usage  3 it could not be read or searched
  130 cancelled (128 + the number of the signal that ended the run)
`;
