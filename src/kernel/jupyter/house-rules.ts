import type { Kernel } from "../kernel.ts";

/**
 * Makes a fresh IPython behave as Granary promises: `exit()` ends the cell and not the kernel, a crash tells where it
 * happened, `breakpoint()` can be talked to, stdout and stderr keep their order, an interrupt is not slept through. Leaves
 * no name behind.
 */
export async function teachHouseRules(kernel: Kernel, signal: AbortSignal | undefined): Promise<void> {
  const cell = `exec(${JSON.stringify(houseRules)}, {"shell": get_ipython()})`;
  for await (const _event of kernel.execute(cell, { internal: true, signal }));
  signal?.throwIfAborted();
}

const houseRules = `
import faulthandler, signal, sys, threading

# ipykernel's own would stop the kernel a moment later, and let the cell go on until then.
shell.ask_exit = sys.exit

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

# Python notices a signal between two steps; one that comes after the last look and before a call that blocks is noticed
# when that call returns, for sleep(60) after a minute. Any other signal with a handler makes the call return at once.
def wake(*_):
    pass

def answer_and_wake(stream, ident, message):
    if message["content"].get("wake"):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGURG)
    return answer(stream, ident, message)

handlers = getattr(shell.kernel, "control_handlers", {})
answer = handlers.get("kernel_info_request")
if answer and hasattr(signal, "SIGURG") and signal.getsignal(signal.SIGURG) is signal.SIG_DFL:
    signal.signal(signal.SIGURG, wake)
    handlers["kernel_info_request"] = answer_and_wake
`;
