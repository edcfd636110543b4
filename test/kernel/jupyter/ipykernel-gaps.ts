/**
 * Promises of the contract that ipykernel does not keep over any transport, each with the reason. Where the
 * gap is a matter of luck, or shows only after a long wait, it is in `unsteadyGaps` instead.
 */
export const ipykernelGaps: Readonly<Record<string, string>> = {
  "half a surrogate pair does not stop a print": "jupyter_client cannot encode it and drops the message",
  "a result with text that JSON cannot express arrives": "jupyter_client cannot encode it",
  "a message that is no valid text arrives": "jupyter_client cannot encode it",
  "bytes that are not UTF-8 become replacement characters and harm nothing around them": "its sys.stdout has no buffer",
  "a cell that ends in the middle of a character does not spoil the next one": "its sys.stdout has no buffer",
  "the execution count grows by one per cell, also for cells that fail": "IPython does not count an empty cell",
  "an exception whose __str__ is broken is still reported under its name": "the failure of __str__ takes its place",
  "an exception whose __str__ leaves Python is still reported under its name": "the failure of __str__ takes its place",
  "an exception whose __str__ gives no string is still reported under its name":
    "the failure of __str__ takes its place",
  "an exception group tells of all its members": "IPython prints it on stderr and sends an empty traceback",
  "endless recursion is a RecursionError with a short traceback": "IPython tells of every call",
  "an exception in a thread is printed on stderr and ends only the thread": "IPython colours it in the middle of words",
  "a warning about a caller names the caller's cell": "it names the line that was called",
  "a syntax warning is shown once": "IPython compiles a cell several times",
  "a task that leaves Python between cells does not harm the kernel": "SystemExit in a task ends its event loop",
  "return and yield at the top level are still errors": "IPython wraps the cell in a function",
  "input() reads from a sys.stdin that the cell has put in place": "its input() never looks at sys.stdin",
  "reading sys.stdin or descriptor 0 finds the end of file, and so do children": "it asks children for colours",
  "a question between cells fails instead of waiting for ever":
    "Python's own input() is in place then, and prints its prompt",
  "a debugger that waits at its prompt can be interrupted":
    "it can, but IPython's debugger also lists the lines around",
  "a kernel that died before the cell began says so: the cell can be sent again":
    "a request that was sent may have been read, so this is unknown",
  "inspect.getsource finds functions and classes of every cell": "__main__ has no file, which classes need",
  "closes sys.stdout, output, results and errors work again": "a closed stream stays closed",
  "closes sys.stderr, output, results and errors work again": "a closed stream stays closed",
  "closes both streams, output, results and errors work again": "a closed stream stays closed",
  "detaches sys.stdout, output, results and errors work again": "its sys.stdout has no buffer",
  "rewraps sys.stdout, output, results and errors work again": "its sys.stdout has no buffer",
  "reconfigures sys.stdout, output, results and errors work again": "its sys.stdout cannot be reconfigured",
  "replaces sys.stdout and puts it back, output, results and errors work again": "IPython loses the stream put back",
  "forgets all its variables, output, results and errors work again": "IPython keeps its own among the user's",
  "empties sys.path, output, results and errors work again": "IPython sends an empty traceback then",
  "removes __main__ from the modules, output, results and errors work again": "IPython sends an empty traceback then",
  "replaces sys.stdout for good, output goes where the user sent it, until it is put back":
    "IPython loses the stream put back",
  "that is unfinished is a syntax error": "IPython lets the name of Python's inner _IncompleteInputError through",
  "with a byte order mark, a form feed or trailing blanks runs": "IPython does not know a byte order mark",
};

/** Not tried at all: they pass now and then, or need most of a minute to fail. */
export const unsteadyGaps: Readonly<Record<string, string>> = {
  ...because("a thread of ipykernel's reads what children and C code write, and may be late", [
    "output of child processes keeps its place between prints",
    "bytes written to the descriptors just before the end belong to the cell",
    "a zero byte at the end belongs to the cell that wrote it",
    "output of C code is shown",
    "output of child processes during the cell belongs to the cell, on both streams",
    "children can open /dev/stdout and /dev/stderr",
    "children inherit no descriptor of the kernel's beyond stdin, stdout and stderr",
  ]),
  ...because("it decodes each read of a descriptor on its own, and a late one may find the whole character", [
    "a character whose bytes come in pieces stays one character",
  ]),
  ...because("what was printed is published up to 0.2 s later, unless the process is gone by then", [
    "text printed before os._exit is delivered without flush",
    "the report has the last lines of stderr",
  ]),
  ...because("its flush timer may publish half of a print, and one stream before the other", [
    "an error comes after what was printed before it",
  ]),
  ...because("what libzmq has not yet sent dies with the process", [
    "text printed before the death is still delivered",
    "megabytes printed just before the death are delivered whole",
  ]),
  ...because("what is printed just before C code takes Python's lock may wait for the lock", [
    "and is deep in C code is ended with its kernel, and that is said",
    "takes its child processes with it when it is ended",
  ]),
  ...because("an interrupt may hit print() itself, which waits for its flush, before the cell is ready to catch it", [
    "that a cell catches lets the cell continue to its end",
  ]),
  ...because("once in a while gevent's next switch fails after an interrupt (InvalidSwitchError)", [
    "gevent raises KeyboardInterrupt where the cell waits, and works on",
  ]),
  ...because("which of the nested loops an interrupt ends is luck, and all of them may end", [
    "and catches every exception in loops within loops is ended with its kernel, and that is said",
  ]),
  ...because("whether the interrupt hits __del__ is luck, and ipykernel does not try again", [
    "because the interrupt hit __del__, where Python drops exceptions, is still interrupted",
  ]),
  ...because("a child that forks off ipykernel may wait for a lock that one of its threads had", [
    "ends a pool of processes, and the variables stay",
  ]),
  ...because("two threads that print share one buffer, and IPython may have to read its own files for a traceback", [
    "output of threads during the cell belongs to the cell, complete",
    "allows few open files, output, results and errors work again",
  ]),
  ...because("ipykernel's stdin socket is not for several threads", [
    "threads that ask at the same time all get their answers",
  ]),
  ...because(
    "__main__ of such a process is ipykernel's launcher, which does not have the function: it waits for ever",
    [
      "multiprocessing with spawn runs functions defined in cells",
      "multiprocessing with forkserver runs functions defined in cells",
      "output of a process started with spawn is shown",
      "output of a process started with forkserver is shown",
    ],
  ),
  ...because("ipykernel fails at flushing it, and the cell never ends", [
    "replaces sys.stdout with a failing object, cells still end",
    "sets sys.stdout to None, cells still end",
  ]),
};

const ownKernel = "needs an ipykernel of its own, which takes a second to start; a similar story stays";

/** Passed, but at a price. */
export const slowStories: Readonly<Record<string, string>> = {
  "a million short lines arrive complete and in order": "ipykernel computes for ten seconds",
  "ends a coroutine that computes without pause, and the variables stay":
    "it computes until ipykernel is interrupted again; a busy loop stays",
  ...because(
    ownKernel,
    [
      "waits for the threads of a pool",
      "waits for the processes of a pool",
      "cleans up for too long",
      "cleans up for too long in many places",
      "continues after KeyboardInterrupt",
      "catches every KeyboardInterrupt in a loop",
      "catches every exception while it computes",
      "awaits again after everything",
      "catches everything in a coroutine",
    ].map((cell) => `and ${cell} is interrupted again until it ends, and the variables stay`),
  ),
  ...because(ownKernel, [
    "and cleans up in C code for ever is ended with its kernel, and that is said",
    "because its SIGINT handler only takes notes is interrupted all the same",
    "because a library has set a SIGINT handler in an earlier cell gets that handler called",
    "after it continued from breakpoint() is interrupted like any other",
    "with a broken trace function is still reported",
    "output of a thread over several cells is complete",
    "a child that keeps printing does not delay the end of the cell",
    "a child that makes the shared pipe non-blocking does not break later prints",
    "a child that left the process group does not hide the kernel's death",
    "a dead kernel refuses further cells with a sentence",
    "close is not held up by a thread that never ends",
    "os.abort is reported with its signal",
    "a signal that ends Python from inside is reported",
  ]),
};

function because(reason: string, titles: readonly string[]): Record<string, string> {
  return Object.fromEntries(titles.map((title) => [title, reason]));
}
