/** What a kernel tells about one cell, in the order it happened. */

/** JSON as it came over a wire. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** MIME type → content: text as a string, binary content as base64, JSON types as JSON. */
export type MimeBundle = Readonly<Record<string, JsonValue>>;

export type StreamName = "stdout" | "stderr";

export type Outcome = "ok" | "error" | "interrupted";

export type KernelEvent =
  /** Always first: the cell has begun. `at` is the host's clock in milliseconds since the epoch. */
  | { readonly type: "started"; readonly at: number }
  | { readonly type: "stream"; readonly name: StreamName; readonly text: string }
  | {
      readonly type: "display";
      readonly data: MimeBundle;
      readonly metadata: MimeBundle;
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
      readonly line?: string;
      readonly executionCount: number;
    }
  | { readonly type: "clear"; readonly wait: boolean }
  /** Told also when `ExecuteOptions.answer` handles it. */
  | { readonly type: "stdin"; readonly prompt: string; readonly password: boolean }
  /** `%pip`: the time-out pauses while `running` is false. While a tool of the host's is at work, the session sees to that. */
  | { readonly type: "clock"; readonly running: boolean }
  | {
      readonly type: "error";
      readonly name: string;
      readonly message: string;
      readonly traceback: readonly string[];
    }
  /** Always last, unless the kernel died, which is an exception: `KernelError` with code `kernel-died`. */
  | {
      readonly type: "done";
      readonly outcome: Outcome;
      readonly executionCount: number | null;
      /** The code asked to leave, successfully: `sys.exit()`. It ends the cell, and a notebook; the kernel stays. */
      readonly exits?: true;
    };
