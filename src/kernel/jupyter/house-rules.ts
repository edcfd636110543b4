import type { Kernel } from "../kernel.ts";

/**
 * Makes a fresh IPython behave as Granary promises: `exit()` ends the cell and not the kernel, a crash tells where it
 * happened, `breakpoint()` can be talked to, stdout and stderr keep their order, an interrupt is not slept through. Leaves
 * no name behind.
 */
export async function teachHouseRules(kernel: Kernel, signal: AbortSignal | undefined): Promise<void> {
  const code = `compile(${JSON.stringify(houseRules)}, ${JSON.stringify(fileOfRules)}, "exec")`;
  const cell = `exec(${code}, {"shell": get_ipython()})`;
  for await (const _event of kernel.execute(cell, { internal: true, signal }));
  signal?.throwIfAborted();
}

/** What frames of the rules are called in a traceback. */
const fileOfRules = "<house rules>";

/** Without the frames of the rules: where an interrupt struck is the cell's business, by which handler it came is not. */
export function withoutRules(traceback: readonly string[]): readonly string[] {
  return traceback.filter((frame) => !frame.includes(fileOfRules));
}

const houseRules = `
import faulthandler, signal, sys, threading

# ipykernel's own would stop the kernel a moment later, and let the cell go on until then.
shell.ask_exit = sys.exit
type(shell.exiter).__call__ = lambda self, status=None: sys.exit(status)  # its own takes the status for something else

# Without a debugger's window, ipykernel's breakpoint() does nothing; Python's own asks with input(). It must not take an
# interrupt for itself, neither at its prompt nor after it.
def debug(*_, **__):
    import pdb
    class Debugger(pdb.Pdb):
        interrupt = None
        def _cmdloop(self):
            try:
                self.cmdloop()
            except KeyboardInterrupt as problem:
                self.interrupt = problem
        def interaction(self, *where):
            super().interaction(*where)
            if self.interrupt:
                raise self.interrupt
    Debugger(nosigint=True).set_trace(sys._getframe(1))

sys.breakpointhook = debug

# What is written to descriptor 2 passes through a thread that a crash ends; this is the descriptor behind it.
faulthandler.enable(file=getattr(sys.stderr, "_original_stdstream_copy", None) or sys.__stderr__)

# ipykernel collects what is printed on each stream, plans to publish it, and does so when it likes. A plan of one stream
# now carries out that of the other. (\`write\` cannot be replaced: IPython puts back the one it knows after each cell.)
last = sys.stdout

def in_order(stream, plan):
    def plan_in_order():
        global last
        if last is not stream:
            before, last = last, stream
            before.flush()
        plan()
    return plan_in_order

for stream in (sys.stdout, sys.stderr):
    stream._schedule_flush = in_order(stream, stream._schedule_flush)

# An interrupt is for the cell's own code. Elsewhere, in ipykernel's event loop, it would end the kernel, and in IPython it may be
# swallowed or take the reply with it. One that comes there waits for the cell's code; a second one does not wait.
run_code = type(shell).run_code.__code__
is_waiting = False

def is_in_cell(frame):
    while frame:
        frame = frame.f_back
        if frame and frame.f_code is run_code:
            return True
    return False

def interrupt(_, frame):
    global is_waiting
    if not is_waiting and not is_in_cell(frame):
        is_waiting = True
        return
    is_waiting = False
    raise KeyboardInterrupt

# Python notices a signal between two steps; one that comes after the last look and before a call that blocks is noticed
# when that call returns, for sleep(60) after a minute. Any other signal with a handler makes the call return at once.
def wake(_, frame):
    global is_waiting
    is_elses = signal.getsignal(signal.SIGINT) is not interrupt  # a cell that awaits has a handler of its own
    if is_waiting and (is_elses or is_in_cell(frame)):
        is_waiting = False
        if not is_elses:
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)
        # That handler leaves a note for the event loop, and does not wake it.
        kernel.io_loop.asyncio_loop.call_soon_threadsafe(bool)

def answer_and_wake(stream, ident, message):
    if message["content"].get("wake"):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGURG)
    return answer(stream, ident, message)

def before_request():
    kernel.saved_sigint_handler = signal.signal(signal.SIGINT, interrupt)

def execute_afresh(*request):
    global is_waiting
    is_waiting = False
    return execute(*request)

kernel = shell.kernel
handlers = getattr(kernel, "control_handlers", {})
answer = handlers.get("kernel_info_request")
if answer and hasattr(signal, "SIGURG") and signal.getsignal(signal.SIGURG) is signal.SIG_DFL:
    signal.signal(signal.SIGURG, wake)
    handlers["kernel_info_request"] = answer_and_wake
    kernel.pre_handler_hook = before_request
    execute = kernel.shell_handlers["execute_request"]
    kernel.shell_handlers["execute_request"] = execute_afresh
`;
