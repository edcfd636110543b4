export const runHelp = `Runs Python code and shows what it prints, as it prints it.

Usage:
  granary run [options] FILE [ARGS]...
  granary run [options] -m MODULE [ARGS]...
  granary run [options] -c CODE [-c CODE]...
  granary run [options] [- [ARGS]...]

FILE and MODULE run as python FILE and python -m MODULE would: with sys.argv,
__file__, standard input (not on gateway), the script's folder first on
sys.path, and the exit status of sys.exit(). FILE may be a folder or a zip file
with a __main__.py. All arguments after FILE, MODULE or - belong to the program.
A notebook (.ipynb) runs as with granary notebook run, and takes the options of
that command before or after it. granary FILE is short for granary run FILE.

Each -c is a cell, and so is code from standard input (-, or a pipe). Cells
share their variables, and the value of a cell's last expression is shown. With
-c, code reads no standard input. The run stops at the first cell that fails,
and ends when all threads of the code have ended, as Python does.

Options:
  -c, --code CODE   run this code; may be given several times
      --cwd DIR     run in this folder (FILE still counts from the current one)
      --timeout S   interrupt a cell or a program after S seconds; never without
                    it, or with 0. The wait for threads, or for another client's
                    cell in the same session, ends after S seconds as well
      --python P    run on this Python: its path, or a name to look for on PATH,
                    such as python3.12
      --backend B   what runs the cells: runner (Granary's own, the default),
                    zmq (a Jupyter kernel), gateway (a Jupyter kernel behind a
                    gateway: the one of PI_PYTHON_GATEWAY_URL, else one that is
                    shared on this machine), or auto
      --kernel NAME start this Jupyter kernelspec, in any language;
                    on zmq unless --backend says gateway
      --attach FILE run in a running kernel, by its connection file; the
                    kernel stays alive
      --env NAME=VALUE, --env NAME
                    pass this variable to cells, or its current value; may
                    be given several times
      --sandbox[=strict]
                    limit Python and its commands to this folder, without
                    secrets and network. Where a settings file says strict,
                    --sandbox stays strict, and --sandbox=workspace is not;
                    granary doctor shows whether that works here
      --trust       run .granary/modules and use programs and variables that
                    the folder's settings name, this time; see granary trust
      --session ID  run in the session of this name, which stays; see below
      --background  with --session: print the ids of the executions and return;
                    granary wait ID shows their output
      --reset       start with a fresh kernel
      --json        print one JSON document on standard output, for programs
  -h, --help        show this

Cells see only a part of the environment: no keys, no tokens. To see which
Python is used, which variables are withheld and what is wrong: granary doctor

Examples:
  granary run -c 'print(6*7)'
  granary run -c 'import math' -c 'math.sqrt(2)'
  granary run --cwd experiments --timeout 600 experiments/train.py --epochs 3
  granary run -m pytest -q
  granary run --env DATABASE_URL -c 'import report; report.send()'
  granary run --session etl -c 'df = load()'
  granary run --session etl -c 'df.head()'
  granary run --attach ~/.local/share/jupyter/runtime/kernel-4711.json -c 'df'
  granary run --json < query.py | jq -r '.cells[0].output'

Output is shown whole. The JSON document has as much of it as fits a model, and
all of it is kept: see granary artifact --help. Pictures are saved in
~/.granary/pictures, and their path is shown. GRANARY_HOME moves ~/.granary.
A terminal also shows pictures inline (console.pictures, NO_COLOR), values as
trees, and status events of helpers such as progress() below the output.

A session stays in the hub, a background process: a later command with the same
--session and folder has the same variables, also from another shell. A cell
keeps running when its command is killed with SIGKILL; Ctrl-C and SIGTERM
interrupt it. FILE gets no standard input there. See granary sessions --help
and granary hub --help.
Without the hub (GRANARY_HUB=never, or hub.use in a settings file) a session
lasts as long as the command; then only the shared gateway of this machine keeps
it, for some minutes (python.idleMinutes).

Ctrl-C interrupts the running cell; a second Ctrl-C ends everything at once.

The JSON document:
  { status, error, cells: [...], background, exitStatus, unfinishedThreads,
    kernel }
  a cell:    { status, output, displays, error, executionCount, durationMs,
               stdinRequested, truncation, ledger, notices }
  a display: { type, data, metadata, pictures: [{ type, path, width, height }],
               leftOut }
  truncation: { totalLines, totalBytes, shownLines, shownBytes, elidedLines,
               elidedBytes, artifact, problem }, or null when all is shown
  status is ok, error, timeout, cancelled or failed; a cell's also skipped.
  exitStatus is what sys.exit() asked for, what Python ended with in the middle
  of FILE or MODULE, or null. unfinishedThreads names the threads that were
  still running after a timeout or Ctrl-C.

Exit codes:
  the status of sys.exit(), if the code has called it; for FILE and MODULE also
  that of os._exit(), and 128 + the number of the signal that ended Python, as
  in a shell; otherwise
  0 success      1 a cell failed      2 wrong usage
  3 Granary or the kernel failed      124 timed out
  130 cancelled (128 + the number of the signal that ended the run)
`;
