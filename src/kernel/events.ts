import type { JsonValue } from "../support/json/value.ts";

/** MIME type → content: text as a string, binary content as base64, JSON types as JSON. */
export type MimeBundle = Readonly<Record<string, JsonValue>>;

/**
 * A value that is too large for memory to hold it without need, or nested too deeply to be a value: its text, to be read
 * in pieces. It can be read until the next event is asked for.
 */
export interface LargeContent {
  /** Whether the text is JSON. Otherwise it is what the bundle would have: text, or base64. */
  readonly isJson: boolean;
  /** Of the text in UTF-8. */
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
      /** What `data` does not have, or, of `text/plain`, only an excerpt of. */
      readonly large?: Readonly<Record<string, LargeContent>>;
      /** The text of a container on one line, where `text/plain` has one for each item: for models. */
      readonly line?: string;
      readonly displayId?: string;
      readonly update: boolean;
      /** For reading now, as the answer to `obj?`: a notebook does not keep it. */
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
  /** Told also when `ExecuteOptions.answer` handles it. */
  | { readonly type: "stdin"; readonly prompt: string; readonly password: boolean }
  /** `%pip`: the time-out pauses while `running` is false. While a tool of the host's is at work, the session sees to that. */
  | { readonly type: "clock"; readonly running: boolean }
  /** An exception that is shown. The outcome says whether the cell failed with it: code can show one and go on. */
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
      /** The code asked to leave, successfully: `sys.exit()`. It ends the cell, and a notebook; the kernel stays. */
      readonly exits?: true;
    };
