export const notebookRunUsage = `Runs a notebook's code cells in order, up to the first that fails, and writes
their outputs into the notebook.

Usage:
  granary notebook run FILE... [options]

The file is saved after every cell, all at once, so a crash loses at most the
cell that was running. If another program saves it at the same time, the outputs
go to the same cells in the saved file. Python runs in the notebook's folder.
A cell that calls input() fails. sys.exit() ends the run: with no status, or 0,
the run has succeeded.

Options:
  -j, --jobs N       run N notebooks at the same time; by default one for
                     each core, at most 8
      --cells LIST   run only these: --cells 3,5-8,id (indexes count from 0);
                     repeatable
      --from CELL    start at this cell; those above it do not run, so their
                     variables are missing
      --timeout S    interrupt a cell after S seconds, and end the run
      --allow-errors continue after a cell that raises
  -p, --param NAME VALUE
                     set a variable, in a cell after the one with the tag
                     "parameters"; may be given several times, also as
                     NAME=VALUE. Numbers, True, False and None are typed as
                     papermill does; NAME=VALUE also takes JSON
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
  -o, --out FILE     save to FILE, which is overwritten, instead of the
                     notebook; with several notebooks FILE is a folder;
                     - is standard output
      --no-times     do not note in the cells when they ran
      --fresh        use a kernel of its own; the default
      --session NAME run in this session of the hub; see below
      --resume       continue with the cell that failed last, if its kernel
                     is still alive; needs --session
      --cwd DIR      run in this folder instead of the notebook's
      --python PATH  run on this Python
      --backend B    auto, runner, gateway or zmq
      --sandbox[=strict]
                     limit Python and its commands to this folder, without
                     secrets and network. Where a settings file says strict,
                     --sandbox stays strict, and --sandbox=workspace is not;
                     granary doctor shows whether that works here
      --trust        run .granary/modules and use programs and variables that
                     the folder's settings name, this time; see granary trust
      --json         print one JSON document on standard output, for programs
  -h, --help         show this

Tags of a cell: skip-execution leaves it out; raises-exception allows it to
fail. Blank cells are skipped.

Examples:
  granary notebook run analysis.ipynb
  granary notebook run report.ipynb -p region north -p n 100 -o north.ipynb
  granary notebook run analysis.ipynb --from 5 --timeout 60
  granary notebook run reports/*.ipynb --jobs 4
  granary notebook run - -p n 5 < report.ipynb > result.ipynb

FILE - is standard input; its result goes to standard output, unless --out names
a file. Python then runs in the current folder.

Several notebooks run in parallel, each in a kernel of its own, as it would run
alone. One that fails does not stop the others. The exit code is that of the
first in the list that did not succeed.

--session names a session of the hub, as in granary run --session: the cells run
in its Python, in the current folder or --cwd, and its variables stay. The page
shows the run live. Without the hub (GRANARY_HUB=never), a session lasts as long
as the command; only the shared gateway (--backend gateway) keeps its variables
for some minutes (python.idleMinutes).

Ctrl-C interrupts the running cell and saves all outputs so far.

The JSON document:
  { status, error, path, failed, exited, cells: [...], notices, kernel }
  a cell:  { index, id, status, whySkipped, executionCount, durationMs, error,
             outputsChanged, difference, stored }
  status is ok, error, timeout, cancelled or failed; a cell's also skipped or
  not-run. outputsChanged: whether its outputs differ from before, apart from
  times and addresses. stored: stored; edited or gone if another program
  changed the cell during the run; unsaved if the file could not be written.
  failed and exited are the indexes of the cell that failed, or that ended the
  run with sys.exit(). path is the file that was written; null if there
  was nothing to write.
  For several notebooks: { status, notebooks: [...] }, with such a document for
  each, plus notebook, its path as typed, and durationMs.

Exit codes:
  0 success      1 a cell failed, or --help-notebook found no parameters
  2 wrong usage
  3 Granary or the kernel failed      124 timed out      130 cancelled
`;
