import type { JsonObject } from "../support/json/value.ts";
import type { KernelEvent, MimeBundle, StreamName } from "./events.ts";
import type { OnHostCall } from "./host-call.ts";
import type { CommMessage, KernelComms } from "./jupyter/messages/comms.ts";
import type { CheckpointAnswer, Checkpointing } from "./runner/checkpoints/kernel-checkpoint.ts";
import type { Trace } from "./trace.ts";
import type { Trouble } from "./trouble.ts";
import type { VariableLimits, VariableListing } from "./variables.ts";

/** The contract of every backend; `test/kernel/kernel-contract.ts` tests it. */
export interface Kernel extends AsyncDisposable {
  readonly id: string;
  readonly info: KernelInfo;
  readonly state: KernelState;
  /** @internal How many cells have begun. */
  readonly cellsBegun: number;
  /** @internal Calls the listener right before each cell, which has not started anything then. */
  onCell(listener: () => void): void;
  /** Settles when the kernel has ended, for any reason. Never rejects. */
  readonly exited: Promise<ExitReport>;
  /**
   * Starts at once and has exactly one consumer. Leaving the iteration early interrupts the cell and
   * waits for its end. Throws `busy` while another cell runs.
   */
  execute(code: string, options?: ExecuteOptions): AsyncIterable<KernelEvent>;
  /** Interrupts the running cell; settles when it has ended, or when the kernel had to be ended. */
  interrupt(): Promise<void>;
  /** A real round trip to the kernel process, also while a cell runs. */
  ping(signal?: AbortSignal): Promise<void>;
  /**
   * @internal The reason why the kernel cannot run cells; null while it is well, or only busy. Asks the system, the kernel's echo or
   * its server, never Python. Rejects without an answer, which by itself says nothing about the kernel.
   */
  findTrouble(signal?: AbortSignal): Promise<Trouble | null>;
  complete(code: string, cursor: number, signal?: AbortSignal): Promise<Completion>;
  /** @param detail 1 for the source as well, where it is known */
  inspect(code: string, cursor: number, signal?: AbortSignal, detail?: 0 | 1): Promise<MimeBundle>;
  /** Whether typed code is ready to run, or needs more lines. */
  isComplete(code: string, signal?: AbortSignal): Promise<Completeness>;
  /** The user's variables, also while a cell runs. Missing on backends that would have to run code for it. */
  variables?(limits?: VariableLimits, signal?: AbortSignal): Promise<VariableListing>;
  /** Where the running cell is, without disturbing it. Missing where a backend cannot report it. */
  stack?(signal?: AbortSignal): Promise<CellStack>;
  /** @internal Whether the kernel can load the prelude itself, as the runner does. */
  readonly hasPrelude?: boolean;
  /** @internal Sleeping copies of the kernel. Missing on backends that cannot make them. */
  readonly checkpoints?: Checkpointing;
  /** @internal The comms of widgets. Missing on backends that do not carry them. */
  readonly comms?: KernelComms;
  /** Output while no cell was running; output before the first listener is kept for it. */
  onBackground(listener: (text: string, name: StreamName) => void): void;
  /** @internal Displays while no cell was running, as the kernel sent them. Their text is background output as well. */
  onLateDisplay(listener: (event: LateDisplay) => void): void;
  /** `why`: ends the kernel at once; becomes the summary of its exit report. */
  close(why?: string): Promise<void>;
}

export type KernelState = "idle" | "busy" | "dead";

export interface KernelInfo {
  readonly backend: BackendName;
  readonly language: string;
  /** Version of the language, such as `3.12.1`. */
  readonly version: string;
  readonly executable: string;
  readonly pid: number | null;
  /** The sandbox that Granary put around it, as in `workspace (bubblewrap)`; missing where there is none. */
  readonly sandbox?: string;
  /** Whether the kernel existed before and may have variables: an attached one, or one that an earlier process kept. */
  readonly resumed?: boolean;
  /** Only of a kernel made out of a checkpoint. */
  readonly restored?: RestoredState;
}

/** The state of a kernel that was made out of a checkpoint. */
export interface RestoredState {
  /** How many cells had been counted. */
  readonly count: number;
  /** Things that were open at the checkpoint and did not come back: `the connection to 127.0.0.1:5432`. */
  readonly lost: readonly string[];
}

/** The answer to `input()` that raises EOFError, as in Jupyter's kernels. */
export const endOfInput = "\x04";
/** Why a question is withdrawn before its client has answered. */
export const answeredElsewhere = "(Another client has answered.)";

/** After this many questions without an answer, a cell is interrupted. */
export const mostUnanswered = 3;
export const unansweredNotice = "input() got an empty reply, because no user is there to answer it.\n";

export interface ExecuteOptions {
  /** Aborting interrupts the cell. */
  readonly signal?: AbortSignal | undefined;
  /** Answers `input()` and `getpass()`. Without it the cell gets an empty reply and an explanation. `"\x04"`, Ctrl-D, raises EOFError. */
  readonly answer?: ((prompt: string, password: boolean, signal: AbortSignal) => Promise<string>) | undefined;
  /** Bootstrap: no history, no count, no output, no events but `error` and `done`. */
  readonly internal?: boolean | undefined;
  readonly cwd?: string | undefined;
  /** Changes to `os.environ`; null deletes. */
  readonly env?: Readonly<Record<string, string | null>> | undefined;
  /** The screen that shows the output; libraries lay out tables for it. Without one, they lay out as in a notebook. */
  readonly terminal?: ReadersTerminal | undefined;
  /**
   * `readable`: the bundles are not stored, so HTML and LaTeX are computed only for objects whose plain text is not readable. The
   * runner only; Jupyter's kernels always compute all forms, the default.
   */
  readonly forms?: "all" | "readable" | undefined;
  /** @internal */
  readonly terms?: CellTerms | undefined;
  /** Called with false when the kernel runs a cell of another client first, and with true when that has ended. */
  readonly onTurn?: ((isOurs: boolean) => void) | undefined;
  /** @internal Instead of code; only for kernels with `hasPrelude`. */
  readonly bootstrap?: Bootstrap | undefined;
  /** @internal Asks for a checkpoint right before the cell, if the kernel makes them; called at once. */
  readonly onCheckpoint?: ((answer: Promise<CheckpointAnswer>) => void) | undefined;
  /** @internal Called with the last output of each command of a magic that failed; only by kernels in a sandbox. */
  readonly onFailedCommand?: ((output: string) => void) | undefined;
}

/** Prepares a fresh kernel: the arguments of `start` in `granary_prelude/boot.py`. */
export interface Bootstrap {
  readonly cwd: string;
  /** Changes to `os.environ`; null deletes. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Whether the prelude's helpers are available without an import. */
  readonly helpers: boolean;
  /** The target of tool calls, or why there is none; null where the kernel's own wire carries the calls. */
  readonly host: readonly string[] | string | null;
}

/** The terms of a client's request, as in Jupyter's `execute_request`, where they differ from the usual ones. */
export interface CellTerms {
  /** Does not count, and is in no history. */
  readonly unnumbered?: boolean | undefined;
  /** The same, and shows no result and calls no hooks. */
  readonly silent?: boolean | undefined;
  /** `input()` raises IPython's `StdinNotImplementedError`. */
  readonly withoutInput?: boolean | undefined;
  /** Evaluated after the cell, if it succeeds; the event `done` has their values. */
  readonly expressions?: Readonly<Record<string, string>> | undefined;
  /** The header of the client's message. An Output widget takes the output of that message. Only kernels with `comms` use it. */
  readonly parent?: JsonObject | undefined;
  /** For a comm, instead of code; only for kernels that have `comms`. */
  readonly comm?: CommMessage | undefined;
}

export interface Completeness {
  readonly status: "complete" | "incomplete" | "invalid" | "unknown";
  /** Of the next line, if it is incomplete. */
  readonly indent?: string | undefined;
}

export type LateDisplay = Extract<KernelEvent, { type: "display" }>;

export interface ReadersTerminal {
  /** The width in columns. */
  readonly columns: number;
  /** The number of colours; 0 for none. */
  readonly colors: number;
}

export interface Completion {
  readonly matches: readonly string[];
  /** The range of the code, in UTF-16 units, that a match replaces. */
  readonly start: number;
  readonly end: number;
  /** One for each match, in the same order; absent where the kernel has no details. */
  readonly details?: readonly {
    /** In IPython's terms: `function`, `class`, `module`, `instance`, `property`, `keyword`, `param`, `path`, `magic`, `dict key`; empty if unknown. */
    readonly kind: string;
    /** How a function is called, such as `(by, *, times=1)`. */
    readonly signature?: string;
  }[];
}

export type MatchDetail = NonNullable<Completion["details"]>[number];

/** How a kernel ended. */
export interface ExitReport {
  /** True after `close`. */
  readonly expected: boolean;
  /** True when Granary did not end it: its own code did, a crash, or a signal from outside. */
  readonly byItself: boolean;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last text on stderr outside of any cell's output, or the interpreter's last words in a crash. */
  readonly lastStderr: string;
  /** Python's stack at the moment of a fatal signal, as `faulthandler` wrote it. */
  readonly stack: string | null;
  /** One sentence for people. */
  readonly summary: string;
}

export interface StartOptions {
  /** Empty where the kernel has its own: behind an external gateway, or in an attached kernel. */
  readonly interpreter: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * Whether the kernel inherits the standard input of this process, which must not read it then. Otherwise, and on backends
   * whose kernels another process starts, it is empty.
   */
  readonly inheritsStdin?: boolean | undefined;
  /** The command to put in front of the interpreter, such as a sandbox: it must end as Python ends. The runner only. */
  readonly launcher?: readonly string[] | undefined;
  /** The name of the sandbox among the launcher, for `info`. */
  readonly sandbox?: string | undefined;
  /** Why the kernel must not be copied, for checkpoints and branches; undefined where it may. */
  readonly whyNoCopies?: string | undefined;
  /** @internal Asked when a kernel, by its process number, failed for no known reason, with its last words: a sentence, or null. */
  readonly whyFailed?: ((pid: number, lastStderr: string) => string | null) | undefined;
  /** @internal Called with each kernel that is made out of a copy of this one. */
  readonly onRestored?: ((kernel: Kernel) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How long Python may ignore the interrupt of a cell before the kernel is ended. */
  readonly interruptGraceMs?: number | undefined;
  /** @internal Called with every message sent and received. */
  readonly trace?: Trace | undefined;
  /** Called with each stage of the start, in the past tense: `Python started`. */
  readonly onStage?: ((stage: string) => void) | undefined;
  /** @internal Answers calls of Python code, where the kernel's own wire carries them. Other kernels need an address of the host. */
  readonly onHostCall?: OnHostCall | undefined;
  /** @internal Called when the kernel is closed, with the installed modules that its cells used. */
  readonly onImports?: ((modules: readonly string[]) => void) | undefined;
}

export type Availability =
  | { readonly available: true }
  | { readonly available: false; readonly reason: string; readonly remedy: string };

/** A way to start kernels. */
export type BackendName = "runner" | "gateway" | "zmq";

export interface KernelBackend {
  readonly name: BackendName;
  probe(options: Pick<StartOptions, "interpreter" | "env" | "signal">): Promise<Availability>;
  start(options: StartOptions): Promise<Kernel>;
}

/** Where a running cell is. */
export interface CellStack {
  /** Outermost first, without Granary's own frames around the cell; empty when no cell runs, or the stack is unknown. */
  readonly frames: readonly StackFrame[];
  /** The user's other threads. */
  readonly threads: readonly { readonly name: string | null; readonly frames: readonly StackFrame[] }[];
  /**
   * When Python noted this stack, in milliseconds of `Date.now()`, if C code holds the interpreter lock, so that Python cannot
   * answer. Null for the current stack.
   */
  readonly lastKnownAt: number | null;
}

export interface StackFrame {
  readonly file: string;
  readonly line: number | null;
  readonly function: string;
  /** The line of code, without its indentation; null when it is not known. */
  readonly source: string | null;
}
