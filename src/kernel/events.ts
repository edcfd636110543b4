import type { JsonObject, JsonValue } from "../support/json/value.ts";
import type { CommMessage } from "./jupyter/messages/comms.ts";

/** MIME type → content: text as a string, binary content as base64, JSON types as JSON. */
export type MimeBundle = Readonly<Record<string, JsonValue>>;

/**
 * A value that is too large to keep in memory, or nested too deeply to be a value: its text, to be read in pieces.
 * It can be read until the next event is asked for.
 */
export interface LargeContent {
  /** Whether the text is JSON. Otherwise it is text or base64, as in the bundle. */
  readonly isJson: boolean;
  /** Size of the text in UTF-8. */
  readonly bytes: number;
  /** Why it cannot be read, as a phrase: the disk was full. */
  readonly problem: string | null;
  /** @throws when it cannot be read */
  chunks(): AsyncIterable<Uint8Array>;
}

/** By MIME type. */
export type LargeContents = Readonly<Record<string, LargeContent>>;

export type StreamName = "stdout" | "stderr";

export type Outcome = Extract<KernelEvent, { type: "done" }>["outcome"];

export type KernelEvent =
  /** Always first: the cell has begun. `at` is the host's clock in milliseconds since the epoch. */
  | { readonly type: "started"; readonly at: number }
  | { readonly type: "stream"; readonly name: StreamName; readonly text: string }
  | {
      readonly type: "display";
      readonly data: MimeBundle;
      readonly metadata: MimeBundle;
      /** Contents that `data` lacks or, for `text/plain`, has only an excerpt of. */
      readonly large?: Readonly<Record<string, LargeContent>>;
      /** The text of a container on one line, where `text/plain` has one for each item: for models. */
      readonly line?: string;
      readonly displayId?: string;
      readonly update: boolean;
      /** For reading now, such as the answer to `obj?`: a notebook does not keep it. */
      readonly page?: true;
    }
  | {
      readonly type: "result";
      readonly data: MimeBundle;
      readonly metadata: MimeBundle;
      readonly large?: Readonly<Record<string, LargeContent>>;
      readonly line?: string;
      readonly executionCount: number;
    }
  | { readonly type: "clear"; readonly wait: boolean }
  /** A message of a widget to its views, for clients of the Jupyter door. */
  | {
      readonly type: "comm";
      readonly message: CommMessage;
      /** The `data` and the `buffers` that the message lacks, in files. */
      readonly large?: Readonly<Record<string, LargeContent>>;
      /** The length of each of the buffers in a file. */
      readonly lengths?: readonly number[];
    }
  /** Sent also when `ExecuteOptions.answer` handles it. */
  | { readonly type: "stdin"; readonly prompt: string; readonly password: boolean }
  /** `%pip`: the timeout pauses while `running` is false. While a tool of the host runs, the session pauses it. */
  | { readonly type: "clock"; readonly running: boolean }
  /** An exception that is shown. Code can show one and continue: the outcome says whether the cell failed. */
  | {
      readonly type: "error";
      readonly name: string;
      readonly message: string;
      readonly traceback: readonly string[];
      /** The whole traceback, where the message or the traceback is an excerpt. */
      readonly large?: LargeContent;
    }
  /** Always last, unless the kernel died, which is an exception: `KernelError` with code `kernel-died`. */
  | {
      readonly type: "done";
      readonly outcome: "ok" | "error" | "interrupted";
      readonly executionCount: number | null;
      /** The values of the expressions in the cell's terms, each as Jupyter's `execute_reply` has it. */
      readonly expressions?: JsonObject;
      /** The code called `sys.exit()` without an error. It ends the cell, and a notebook; the kernel stays. */
      readonly exits?: true;
    };
