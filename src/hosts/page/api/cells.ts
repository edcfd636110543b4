/** The cells of a session, as the server sends them and the browser keeps them. */

/** JSON of any shape. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export interface TextOutput {
  readonly kind: "text";
  readonly stream: "stdout" | "stderr";
  /** With escape sequences. Of a long text, its beginning and its end. */
  readonly text: string;
  /** Where characters were left out, and how many; null when the text is whole. */
  readonly omitted: { readonly at: number; readonly characters: number } | null;
}

export interface BundleOutput {
  readonly kind: "display";
  /** By which later updates find it; null for none. */
  readonly displayId: string | null;
  /** MIME type → content; text as a string, binary content as base64, JSON types as JSON. */
  readonly data: Readonly<Record<string, Json>>;
  readonly metadata: Readonly<Record<string, Json>>;
  /** Forms that are too large for the page, in bytes. */
  readonly tooLarge: Readonly<Record<string, number>>;
}

export interface ErrorOutput {
  readonly kind: "error";
  readonly name: string;
  readonly message: string;
  readonly traceback: readonly TracebackPart[];
}

/** A frame with its lines, or lines between frames. Joined, they are the traceback. */
export interface TracebackPart {
  readonly lines: readonly string[];
  /** Null between frames. */
  readonly kind: "cell" | "user" | "library" | null;
  /** The name of the library that the frame belongs to. */
  readonly library: string | null;
}

export type PageOutput = TextOutput | BundleOutput | ErrorOutput;

export type PageCellState = "queued" | "running" | "ok" | "error" | "timeout" | "cancelled" | "failed" | "skipped";

/** A cell without its outputs. */
export interface CellHead {
  /** The id of its execution. */
  readonly id: string;
  /** The client that runs it: an agent's name, `console`, `page`, `Jupyter`. */
  readonly by: string;
  readonly code: string;
  readonly title: string | null;
  readonly state: PageCellState;
  /** In milliseconds since the epoch; null before it runs. */
  readonly startedAt: number | null;
  /** Null while it runs. */
  readonly durationMs: number | null;
  readonly count: number | null;
  /** Which kernel of the session ran it. */
  readonly generation: number | null;
  /** Why its effects are not in the variables, for people; null where they are. */
  readonly undone: string | null;
  /** A sentence of Granary: why it waits, what became of the kernel. */
  readonly notice: string | null;
  /** The question of `input()` that the cell waits with. */
  readonly question: { readonly prompt: string; readonly password: boolean } | null;
  /** The whole output, if the page shows only a part: an artifact's id. */
  readonly artifact: string | null;
}

export interface PageCell extends CellHead {
  readonly outputs: readonly PageOutput[];
}
