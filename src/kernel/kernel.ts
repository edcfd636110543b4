import type { KernelEvent, MimeBundle, StreamName } from "./events.ts";
import type { OnHostCall } from "./host-call.ts";
import type { Trace } from "./trace.ts";
import type { Trouble } from "./trouble.ts";
import type { VariableLimits, VariableListing } from "./variables.ts";

/** The contract every backend fulfils; `test/kernel/kernel-contract.ts` says what it means. */
export interface Kernel extends AsyncDisposable {
  readonly id: string;
  readonly info: KernelInfo;
  readonly state: KernelState;
  /** Settles when the kernel has ended, for whatever reason. Never rejects. */
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
   * @internal What keeps the kernel from running cells; null while it is well, or only busy. Asks the system, the kernel's echo or
   * its server, never Python. Rejects when there was no answer, which by itself says nothing about the kernel.
   */
  findTrouble(signal?: AbortSignal): Promise<Trouble | null>;
  complete(code: string, cursor: number, signal?: AbortSignal): Promise<Completion>;
  inspect(code: string, cursor: number, signal?: AbortSignal): Promise<MimeBundle>;
  /** What the user's variables hold, also while a cell runs. A backend that cannot tell without running code has none. */
  variables?(limits?: VariableLimits, signal?: AbortSignal): Promise<VariableListing>;
  /** Output that came while no cell was running; what came before the first listener is kept for it. */
  onBackground(listener: (text: string, name: StreamName) => void): void;
  /** `why`: it is ended at once because of that, which is then the summary of its exit report. */
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
  /** Whether it ran before we came, with whatever is in it: somebody else's, or one that an earlier process has kept. */
  readonly resumed?: boolean;
}

export interface ExecuteOptions {
  /** Aborting interrupts the cell. */
  readonly signal?: AbortSignal | undefined;
  /** Answers `input()` and `getpass()`; without it nobody can, and the cell is told so. */
  readonly answer?: ((prompt: string, password: boolean, signal: AbortSignal) => Promise<string>) | undefined;
  /** Bootstrap: no history, no count, no output, no events but `error` and `done`. */
  readonly internal?: boolean | undefined;
  readonly cwd?: string | undefined;
  /** Changes to `os.environ`; null deletes. */
  readonly env?: Readonly<Record<string, string | null>> | undefined;
  /** Where a person reads the output; libraries lay out tables for it. A cell without one is laid out as in a notebook. */
  readonly terminal?: ReadersTerminal | undefined;
  /** Told when the kernel runs a cell of another client first (false), and when that one has ended (true). */
  readonly onTurn?: ((isOurs: boolean) => void) | undefined;
}

export interface ReadersTerminal {
  /** How wide output may be. */
  readonly columns: number;
  /** How many colours there are; 0 for none. */
  readonly colors: number;
}

export interface Completion {
  readonly matches: readonly string[];
  /** The range of the code, in UTF-16 units, that a match replaces. */
  readonly start: number;
  readonly end: number;
  /** One for each match, in the same order; absent where the kernel tells nothing about them. */
  readonly details?: readonly MatchDetail[];
}

export interface MatchDetail {
  /** In IPython's words: `function`, `class`, `module`, `instance`, `property`, `keyword`, `param`, `path`, `magic`, `dict key`; empty if unknown. */
  readonly kind: string;
  /** How a function is called, such as `(by, *, times=1)`. */
  readonly signature?: string;
}

/** How a kernel ended. */
export interface ExitReport {
  /** True when somebody asked for the end (`close`), false when it just happened. */
  readonly expected: boolean;
  /** True when nobody on this side ended it: its own code did, a crash, or somebody's signal. */
  readonly byItself: boolean;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last thing on stderr outside of any cell's output, or what the interpreter said while dying. */
  readonly lastStderr: string;
  /** Python's stack at the moment of a fatal signal, as `faulthandler` wrote it. */
  readonly stack: string | null;
  /** One sentence for people. */
  readonly summary: string;
}

export interface StartOptions {
  /** Empty where the kernel brings its own: behind somebody's gateway, or somebody's kernel. */
  readonly interpreter: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * Whether the kernel's standard input is that of this process, which must not read it then. Without it, and on backends
   * whose kernels another process starts, it is empty.
   */
  readonly inheritsStdin?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How long Python may leave the interrupt of a cell unanswered before the whole kernel is ended. */
  readonly interruptGraceMs?: number | undefined;
  /** @internal Is told every message sent and received. */
  readonly trace?: Trace | undefined;
  /** Is told what has been reached, in the past tense: `Python started`. */
  readonly onStage?: ((stage: string) => void) | undefined;
  /** @internal Answers calls of Python code. Only where the kernel's own wire carries them: others need an address of the host's. */
  readonly onHostCall?: OnHostCall | undefined;
  /** @internal Is told, when the kernel is closed, which installed modules its cells have used. */
  readonly onImports?: ((modules: readonly string[]) => void) | undefined;
}

export type Availability =
  | { readonly available: true }
  | { readonly available: false; readonly reason: string; readonly remedy: string };

/** What kernels run on. */
export type BackendName = "runner" | "gateway" | "zmq";

export interface KernelBackend {
  readonly name: BackendName;
  probe(options: Pick<StartOptions, "interpreter" | "env" | "signal">): Promise<Availability>;
  start(options: StartOptions): Promise<Kernel>;
}
