import { pythonLiteral } from "../../python/python-literal.ts";
import type { JsonObject } from "../../support/json/value.ts";
import type { Kernel } from "../kernel.ts";
import type { HandedFiles } from "./handed-files.ts";
import { largeRulesFor } from "./large-rules.ts";
import { objectOf } from "./messages/to-event.ts";

/**
 * Makes a fresh IPython behave as Granary promises: `exit()` ends the cell and not the kernel, a crash tells where it
 * happened, `breakpoint()` can be talked to, stdout and stderr keep their order, an interrupt is not slept through, no
 * question ends the kernel, large values travel as files. Leaves no name behind.
 */
export async function teachHouseRules(
  kernel: Kernel,
  { session, handed, signal }: { session: string; handed: HandedFiles | null; signal: AbortSignal | undefined },
): Promise<void> {
  const code = `compile(${pythonLiteral(houseRules)}, ${pythonLiteral(fileOfRules)}, "exec")`;
  const rules = `exec(${code}, {"shell": get_ipython()})`;
  const cell = handed === null ? rules : `${rules}\n${largeRulesFor(handed, session, fileOfRules)}`;
  for await (const _event of kernel.execute(cell, { internal: true, signal }));
  signal?.throwIfAborted();
}

/** What frames of the rules are called in a traceback. */
const fileOfRules = "<house rules>";

/** Without the frames of the rules: where an interrupt struck is the cell's business, by which handler it came is not. */
export function withoutRules(traceback: readonly string[]): readonly string[] {
  return traceback.filter((frame) => !frame.includes(fileOfRules));
}

/** As in interrupt.py of the runner: the first attempts go to a handler of the cell's own, the last ones raise twice. */
const attemptsForHandlers = 2;
const lastAttempts = 4;

/** In the payload of a reply: something had no form that could be displayed. */
const failedDisplay = "granary-failed-display";

export function hasFailedDisplay({ payload }: JsonObject): boolean {
  return Array.isArray(payload) && payload.some((item) => objectOf(item).source === failedDisplay);
}

const houseRules = `
import asyncio, faulthandler, functools, signal, sys, threading

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
kernel = shell.kernel
run_code = type(shell).run_code.__code__
users_handler = None
is_waiting = False
attempt = 1
reactions = 0  # up to which attempt Python has reacted, in this cell

def root_of(frame):
    while frame.f_back:
        frame = frame.f_back
    return frame

main_root = root_of(sys._getframe())

def is_in_cell(frame):
    while frame.f_back:
        called, frame = frame, frame.f_back
        if frame.f_code is run_code:
            return called.f_code.co_filename != run_code.co_filename  # otherwise IPython shows how the cell failed
    return frame is not main_root  # a stack of its own, as greenlets have

# A cell that awaits has a handler of ipykernel's own, which leaves a note for the event loop and does not wake it.
def is_awaiting():
    return getattr(users_handler, "__module__", None) == "ipykernel.ipkernel"

def interrupt(_, frame):
    global is_waiting
    if is_waiting or is_awaiting() or is_in_cell(frame):
        deliver(frame)
    else:
        is_waiting = True

def deliver(frame):
    global is_waiting, reactions
    is_waiting = False
    reactions = max(reactions + 1, attempt)
    if is_awaiting() and attempt > 1 and is_in_cell(frame):
        raise KeyboardInterrupt  # it computes without a pause, and would never know that it is cancelled
    if is_awaiting() and attempt > 1:
        cancel_again()
    elif users_handler is not None and attempt <= ${attemptsForHandlers}:
        users_handler(signal.SIGINT, frame)
        kernel.io_loop.asyncio_loop.call_soon_threadsafe(bool)
    else:
        if attempt >= ${lastAttempts}:
            raise_when_swallowed(frame)
        raise KeyboardInterrupt

# ipykernel cancels only once.
def cancel_again():
    loop = kernel.io_loop.asyncio_loop
    for task in asyncio.all_tasks(loop):
        if getattr(task.get_coro(), "__name__", None) == "run_cell_async":
            if attempt >= ${lastAttempts}:
                sys.settrace(trace)
            loop.call_soon_threadsafe(task.cancel)

# Code that swallows the exception in a loop gets another one as soon as it is done with the first: outside of its \`try\`.
interrupts = (KeyboardInterrupt, asyncio.CancelledError)

def trace(frame, event, value):
    if event == "call" and frame.f_code.co_name == "showtraceback":
        sys.settrace(None)  # the cell is over; line by line, IPython would take seconds to show how
        return None
    if event == "exception" and issubclass(value[0], interrupts):
        return until_caught
    if event == "line" and not is_handling() and is_in_cell(frame):
        raise KeyboardInterrupt
    return trace

# From Python 3.13 on, an exception may pass lines of its own on its way out of an await.
def until_caught(frame, event, _):
    return trace if event == "line" and is_handling() else until_caught

def is_handling():
    return isinstance(sys.exc_info()[1], interrupts)

def raise_when_swallowed(frame):
    while frame:
        frame.f_trace = trace
        if frame.f_code is run_code:
            break
        frame = frame.f_back
    sys.settrace(trace)

# Python notices a signal between two steps; one that comes after the last look and before a call that blocks is noticed
# when that call returns, for sleep(60) after a minute. Any other signal with a handler makes the call return at once.
def wake(_, frame):
    global reactions
    if get_handler(signal.SIGINT) is not interrupt:
        reactions = max(reactions, 1)  # the cell ignores SIGINT, or has it ignored by C code
    is_due = is_waiting or 1 < attempt > reactions
    if is_due and (is_awaiting() or is_in_cell(frame)):
        deliver(frame)

def answer_and_wake(stream, ident, message):
    global attempt
    wanted = message["content"].get("wake")
    if not wanted:
        return answer(stream, ident, message)
    attempt = max(attempt, wanted)
    signal.pthread_kill(threading.main_thread().ident, signal.SIGURG)
    kernel.session.send(stream, "kernel_info_reply", {"status": "ok", **kernel.kernel_info, "reactions": reactions}, message, ident)

# A handler that the cell's code sets stays, and is called by ours. Who asks finds Python's own in place of ours.
set_handler, get_handler = signal.signal, signal.getsignal

@functools.wraps(get_handler)
def getsignal(number):
    found = get_handler(number)
    return users_handler or signal.default_int_handler if found is interrupt else found

@functools.wraps(set_handler)
def setsignal(number, handler):
    global users_handler
    is_ours = number == signal.SIGINT and callable(handler) and threading.current_thread() is threading.main_thread()
    if not is_ours:
        return set_handler(number, handler)
    before = getsignal(number)
    users_handler = None if handler is signal.default_int_handler else handler
    set_handler(number, interrupt)
    return before

def before_request():
    kernel.saved_sigint_handler = set_handler(signal.SIGINT, interrupt)

def execute_afresh(*request):
    global is_waiting, attempt, reactions
    if attempt >= ${lastAttempts}:
        sys.settrace(None)
    is_waiting, attempt, reactions = False, 1, 0
    return execute(*request)

# IPython shows why a value could not be displayed, goes on, and replies that all is well. The payload of the reply says it.
def telling(show):
    def show_and_tell(*exception):
        caller = sys._getframe(2)
        if caller.f_globals.get("__name__") == "IPython.core.formatters":
            shell.payload_manager.write_payload({"source": "${failedDisplay}"})
        return show(*exception)
    return show_and_tell

if hasattr(shell, "_showtraceback") and hasattr(shell, "payload_manager"):
    shell._showtraceback = telling(shell._showtraceback)

# A value that raises SystemExit or KeyboardInterrupt while it is looked at would end ipykernel's event loop, and the kernel.
def answering(ask, nothing):
    def answer_all(code, cursor, *more, **options):
        try:
            return ask(code, cursor, *more, **options)
        except Exception:
            raise
        except BaseException:
            return {"status": "ok", "metadata": {}, **nothing(cursor)}
    return answer_all

if hasattr(kernel, "do_complete") and hasattr(kernel, "do_inspect"):
    no_matches = lambda cursor: {"matches": [], "cursor_start": cursor, "cursor_end": cursor}
    kernel.do_complete = answering(kernel.do_complete, no_matches)
    kernel.do_inspect = answering(kernel.do_inspect, lambda _: {"found": False, "data": {}})

handlers = getattr(kernel, "control_handlers", {})
answer = handlers.get("kernel_info_request")
if answer and hasattr(signal, "SIGURG") and signal.getsignal(signal.SIGURG) is signal.SIG_DFL:
    signal.signal(signal.SIGURG, wake)
    signal.signal, signal.getsignal = setsignal, getsignal
    handlers["kernel_info_request"] = answer_and_wake
    kernel.pre_handler_hook = before_request
    execute = kernel.shell_handlers["execute_request"]
    kernel.shell_handlers["execute_request"] = execute_afresh
`;
