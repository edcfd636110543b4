import type { KernelEvent } from "../../kernel/events.ts";
import type { ExecuteOptions, Kernel, ReadersTerminal } from "../../kernel/kernel.ts";
import type { Capture } from "../../output/capture.ts";
import type { ShownDisplay } from "../../output/output-part.ts";
import type { JsonValue } from "../../support/json/value.ts";
import type { TimeBudget } from "../cell/run-cell.ts";
import type { Consent } from "../kernel-life/succession.ts";
import type { SeenGeneration } from "../ledger.ts";
import type { CellOfNotebook, Execution } from "./execution.ts";

export interface SharedRunOptions {
  /** Aborting takes the cell out of the queue, or interrupts it. */
  readonly signal?: AbortSignal | undefined;
  /** Counted from the moment the cell begins, without the time that `%pip` takes; Infinity, the default, for none. */
  readonly timeoutMs?: number | undefined;
  /** @internal The time that several cells share, when `timeoutMs` is for all of them. */
  readonly time?: TimeBudget | undefined;
  /** @internal Ends the cell in any case, also while it waits; counted from the moment its turn comes. */
  readonly hardLimitMs?: number | undefined;
  readonly answer?: ExecuteOptions["answer"];
  readonly env?: ExecuteOptions["env"];
  /** Where a person reads the output. The result is made for people then: values break into lines, and colours are kept. */
  readonly terminal?: ExecuteOptions["terminal"];
  /** `all` is the default with `onEvent`, whose reader may store the bundles, else `readable`. */
  readonly forms?: ExecuteOptions["forms"];
  /**
   * Called with every event from the kernel, and awaited: for consumers that must not miss anything. A display or an
   * error comes with its text as in the result, and a display with its rendering.
   */
  readonly onEvent?:
    | ((event: KernelEvent, text: string | undefined, shown: ShownDisplay | undefined) => void | Promise<void>)
    | undefined;
  /** @internal The terms of a Jupyter client's request. */
  readonly terms?: ExecuteOptions["terms"];
  /** Called with a sentence when the kernel did not survive the cell, before the cell runs once more. */
  readonly onRetry?: ((sentence: string) => void | Promise<void>) | undefined;
  /** Called with a sentence about why the cell has to wait for a kernel. */
  readonly onWait?: ((reason: string) => void) | undefined;
  /** @internal Is handed what a Python tool has returned. */
  readonly onReturned?: ((value: JsonValue) => void) | undefined;
  /** @internal Keeps no output for the result or for followers: for consumers that use the events alone. */
  readonly uncaptured?: boolean | undefined;
  /** @internal The cell before it belongs to the same notebook run. */
  readonly inSeries?: boolean | undefined;
  /** @internal Runs in this kernel, and in no other where it has died: for code that is about the state of this one. */
  readonly onlyIn?: Kernel | undefined;
  /** A fresh kernel first. */
  readonly reset?: boolean | undefined;
  /** @internal Nothing is run: a kernel is there afterwards, so that the next cell need not wait for it. */
  readonly onlyStarts?: boolean | undefined;
  /** @internal Runs only if that one succeeded. It must have been queued before, or the two could wait for each other. */
  readonly onlyAfter?: Execution | undefined;
  /** @internal The notebook run that this cell belongs to. */
  readonly partOf?: Execution | undefined;
  /** @internal Its place in the notebook that is run. */
  readonly notebook?: CellOfNotebook | undefined;
  /** @internal Sentences for the result's notices. */
  readonly notices?: readonly string[] | undefined;
  /** @internal Who else would lose their variables by a reset: it is refused then. */
  readonly sharedWith?: readonly string[] | undefined;
  /** @internal Who asks for the reset, for the others to know. */
  readonly askedBy?: string | undefined;
  /** @internal The name of the client that runs it, for people. */
  readonly by?: string | undefined;
  /** @internal The client's word for the folder of the session, should a kernel start for this cell. */
  readonly consent?: Consent | undefined;
  /** @internal Captures the output instead of the session's own capture. */
  readonly capture?: ((terminal: ReadersTerminal | undefined) => Capture) | undefined;
  /** @internal Whose result it is, so that it can say what became of the variables that this one knew. */
  readonly seen?: SeenGeneration | undefined;
}

export type SharedResetOptions = Pick<
  SharedRunOptions,
  "signal" | "sharedWith" | "askedBy" | "by" | "consent" | "seen"
>;
