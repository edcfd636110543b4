import { isTooCostlyText } from "../../../support/json/costly-json.ts";
import type { JsonObject } from "../../../support/json/value.ts";
import { KernelError } from "../../errors.ts";
import type { MimeBundle, Outcome } from "../../events.ts";
import type { HostCallArguments } from "../../host-call.ts";
import type { CommMessage } from "../../jupyter/messages/comms.ts";
import type { Bootstrap, CellStack, Completeness, Completion, RestoredState } from "../../kernel.ts";
import type { VariableListing } from "../../variables.ts";
import type { CheckpointWish } from "../checkpoints/checkpoint-socket.ts";
import type { FileReference, LargeFile } from "./large-file.ts";

/** The runner's wire in types; `protocol/README.md` says what they mean. */

export const protocolVersion = 1;

export type Request =
  | {
      readonly op: "streams";
      readonly use: "pipes" | "fifos" | "opened" | "inherited";
      readonly settled?: boolean;
      readonly journal?: boolean;
    }
  | {
      readonly op: "execute";
      readonly id: number;
      readonly code: string;
      readonly internal?: true | undefined;
      readonly cwd?: string | undefined;
      readonly env?: Readonly<Record<string, string | null>> | undefined;
      readonly terminal?: { readonly columns: number; readonly colors: number } | undefined;
      readonly forms?: "readable" | undefined;
      readonly bootstrap?: Bootstrap | undefined;
      readonly checkpoint?: CheckpointWish | undefined;
      readonly history?: false | undefined;
      readonly silent?: true | undefined;
      readonly stdin?: false | undefined;
      readonly expressions?: Readonly<Record<string, string>> | undefined;
      readonly parent?: JsonObject | undefined;
      readonly comm?: JsonObject | undefined;
    }
  | { readonly op: "checkpoint"; readonly checkpoint: CheckpointWish }
  | { readonly op: "complete"; readonly id: number; readonly code: string; readonly cursor: number }
  | {
      readonly op: "inspect";
      readonly id: number;
      readonly code: string;
      readonly cursor: number;
      readonly detail?: 1 | undefined;
    }
  | { readonly op: "is-complete"; readonly id: number; readonly code: string }
  | { readonly op: "shutdown"; readonly imports?: true };

export type ControlRequest =
  | { readonly op: "flush" }
  | { readonly op: "ping"; readonly id: number }
  | { readonly op: "owner"; readonly id: number }
  | { readonly op: "answer"; readonly ask: number; readonly text: string | null }
  | { readonly op: "taken"; readonly file: number }
  | { readonly op: "stack"; readonly id: number }
  | { readonly op: "comms"; readonly id: number }
  | { readonly op: "variables"; readonly id: number; readonly most: number; readonly longest: number };

export interface Hello {
  readonly t: "hello";
  readonly protocol: number;
  readonly python: string;
  readonly executable: string;
  readonly pid: number;
  readonly mark: string;
  readonly pipes: readonly [stdout: number, stderr: number];
  readonly journal: number | null;
  readonly settles: boolean;
  /** Whether it can load the prelude itself. */
  readonly prelude?: boolean;
  readonly restored?: RestoredState;
}

export interface Fifos {
  readonly t: "fifos";
  readonly stdout: string;
  readonly stderr: string;
}

type Placed = { readonly after?: number };

export type Frame = Placed &
  (
    | { readonly t: "started"; readonly id: number }
    | {
        readonly t: "display";
        readonly id: number | null;
        readonly data: MimeBundle;
        readonly metadata: MimeBundle;
        readonly files?: Readonly<Record<string, FileReference>>;
        /** Not on the wire: `files`, opened. */
        readonly large?: Readonly<Record<string, LargeFile>>;
        readonly line?: string;
        readonly displayId?: string;
        readonly update?: true;
        readonly page?: true;
      }
    | {
        readonly t: "result";
        readonly id: number;
        readonly data: MimeBundle;
        readonly metadata: MimeBundle;
        readonly files?: Readonly<Record<string, FileReference>>;
        /** Not on the wire: `files`, opened. */
        readonly large?: Readonly<Record<string, LargeFile>>;
        readonly line?: string;
        readonly count: number;
      }
    | {
        readonly t: "comm";
        readonly id: number | null;
        readonly type: CommMessage["type"];
        readonly content: JsonObject;
        readonly metadata: JsonObject;
        readonly buffers?: readonly string[];
        readonly lengths?: readonly number[];
        readonly files?: Readonly<Record<string, FileReference>>;
        /** Not on the wire: `files`, opened. */
        readonly large?: Readonly<Record<string, LargeFile>>;
      }
    | { readonly t: "clear"; readonly id: number | null; readonly wait: boolean }
    | {
        readonly t: "ask";
        readonly id: number;
        readonly ask: number;
        readonly prompt: string;
        readonly password: boolean;
      }
    | { readonly t: "clock"; readonly id: number | null; readonly running: boolean }
    | { readonly t: "command"; readonly id: number; readonly exit: number | null }
    | {
        readonly t: "error";
        readonly id: number;
        readonly name: string;
        readonly message: string;
        readonly traceback: readonly string[];
        readonly file?: FileReference;
        readonly large?: LargeFile;
      }
    | { readonly t: "expressions"; readonly id: number; readonly values: JsonObject }
    | {
        readonly t: "done";
        readonly id: number;
        readonly outcome: Outcome;
        readonly count: number | null;
        readonly exits?: true;
      }
    | { readonly t: "reply"; readonly id: number; readonly value: Completion | Completeness | MimeBundle }
    | {
        readonly t: "host-call";
        readonly id: number | null;
        readonly call: number;
        readonly name: string;
        readonly args: HostCallArguments;
        readonly main: boolean;
      }
    | { readonly t: "host-cancel"; readonly call: number }
    | { readonly t: "imports"; readonly modules: readonly string[] }
    | { readonly t: "no-checkpoint"; readonly checkpoint: number; readonly why: string }
  );

export type ControlFrame =
  | { readonly t: "pong"; readonly id: number }
  | { readonly t: "comms"; readonly id: number; readonly comms: Readonly<Record<string, string>> }
  | ({ readonly t: "stack"; readonly id: number } & (
      | (Omit<CellStack, "lastKnownAt"> & { readonly cell: number | null })
      | { readonly problem: string }
    ))
  | ({ readonly t: "variables"; readonly id: number } & (VariableListing | { readonly problem: string }));

const known = new Set<string>([
  "hello",
  "fifos",
  "started",
  "display",
  "result",
  "comm",
  "clear",
  "ask",
  "clock",
  "command",
  "error",
  "expressions",
  "done",
  "reply",
  "host-call",
  "host-cancel",
  "imports",
  "no-checkpoint",
  "pong",
  "stack",
  "comms",
  "variables",
]);

/** In characters: such a line has few values. */
const shortLine = 1_000_000;

/** The one place where text from the runner becomes a typed value. The runner is ours, so its fields are trusted. */
export function decodeFrame<T extends Hello | Fifos | Frame | ControlFrame>(line: string): T {
  if (line.length > shortLine && isTooCostlyText(line))
    throw new KernelError("protocol", "The runner sent a frame of too many values.");
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new KernelError("protocol", `The runner sent a line that is not JSON: ${line.slice(0, 200)}`, { cause });
  }
  const type = typeof value === "object" && value !== null && "t" in value ? value.t : undefined;
  if (typeof type !== "string" || !known.has(type)) {
    throw new KernelError("protocol", `The runner sent an unknown frame: ${line.slice(0, 200)}`);
  }
  return value as T;
}

/** A frame of the running cell. */
export type CellFrame = Exclude<
  Frame,
  { readonly t: "reply" | "host-call" | "host-cancel" | "imports" | "no-checkpoint" }
>;

export function encode(request: Request | ControlRequest): string {
  return `${JSON.stringify(request)}\n`;
}

/** @param reply JSON already: it may be large, and its encoding may fail */
export function encodeHostReply(call: number, reply: string): string {
  return `{"op":"host-reply","call":${call},"reply":${reply}}\n`;
}
