export const notebookRunUsage = `Runs a notebook's code cells in order, up to the first that fails, and writes
what they put out into the notebook.

Usage:
  granary notebook run FILE... [options]

The file is saved after every cell, all at once, so a crash loses at most the
cell that was running. If somebody else saves it meanwhile, the outputs go to
the same cells in what they saved. Python runs in the notebook's folder. Nobody
can answer input(): a cell that asks has failed. sys.exit() in a cell leaves the
notebook: with no status, or 0, the run has succeeded.

Options:
  -j, --jobs N       how many of several notebooks at the same time; by default
                     one for each core, at most 8
      --cells LIST   only these: --cells 3,5-8,id (indexes count from 0);
                     repeatable
      --from CELL    none before this one
      --timeout S    interrupt a cell after S seconds, and end the run
      --allow-errors go on after a cell that raises
  -p, --param NAME VALUE
                     set a variable, in a cell behind the one with the tag
                     "parameters"; may be given several times, also as
                     NAME=VALUE. Numbers, True, False and None are typed as
                     papermill does; NAME=VALUE takes JSON besides
  -r, --param-raw NAME VALUE
                     the same, with VALUE as text
  -y, --param-yaml TEXT
                     several, as a mapping in YAML: -y '{region: north, n: 5}'
  -f, --param-file FILE
                     several, from a file in YAML or JSON
  -b, --param-base64 TEXT
                     several, in YAML that is encoded in base64
      --help-notebook
                     list the notebook's parameters with types and defaults
  -o, --out FILE     save to FILE, which is overwritten, and leave the notebook;
                     with several notebooks FILE is a folder, and - is
                     standard output
      --no-times     do not note in the cells when they ran
      --fresh        in a kernel of its own; that is the default
      --session ID   in the session of that name; see below
      --resume       go on with the cell that failed last, if its kernel lives,
                     for which there has to be a --session
      --cwd DIR      run in this folder instead of the notebook's
      --python PATH  run on this Python, whatever else there is
      --backend B    auto, runner, gateway or zmq
      --json         print one JSON document on standard output, for programs
  -h, --help         show this

Tags of a cell: skip-execution leaves it out; raises-exception allows it to
fail. Blank cells are left out, too.

Examples:
  granary notebook run analysis.ipynb
  granary notebook run report.ipynb -p region north -p n 100 -o north.ipynb
  granary notebook run analysis.ipynb --from 5 --timeout 60
  granary notebook run reports/*.ipynb --jobs 4
  granary notebook run - -p n 5 < report.ipynb > result.ipynb

FILE - is standard input; its result goes to standard output, unless --out names
a file. Python then runs in the current folder.

Several notebooks run beside each other, each in a kernel of its own and as it
would run alone. One that fails does not stop the others. The exit code is that
of the first in the list that did not succeed.

A session lasts as long as the command, but on the gateway that is shared on
this machine (--backend gateway): there, a later command with the same
--session goes on with its variables, if it runs in the same folder and comes
within some minutes (python.idleMinutes).

Ctrl-C interrupts what runs and saves what is there.

The JSON document:
  { status, error, path, failed, exited, cells: [...], notices, kernel }
  a cell:  { index, id, status, whySkipped, executionCount, durationMs, error,
             outputsChanged, difference, stored }
  status is ok, error, timeout, cancelled or failed; a cell's also skipped or
  not-run. outputsChanged: whether it shows something else than before, apart
  from times and addresses. stored: stored, or edited or gone if somebody
  changed the cell meanwhile, or unsaved if the file could not be written.
  failed and exited are indexes: of the cell that failed, or that left the
  notebook with sys.exit(). path is the file that was written; null if there
  was nothing to write.
  Of several notebooks: { status, notebooks: [...] }, for each such a document
  with notebook, its path as it was typed, and durationMs.

Exit codes:
  0 success      1 a cell failed      2 wrong usage
  3 Granary or the kernel failed      124 timed out      130 cancelled
`;
