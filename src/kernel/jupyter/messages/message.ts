import type { JsonObject } from "../../../support/json/value.ts";
import type { HandedFile } from "../handed-files.ts";

/** A message of Jupyter's protocol, whatever carries it. Its JSON keeps Jupyter's own snake_case names. */
export interface JupyterMessage {
  readonly channel: ChannelName;
  readonly header: JupyterHeader;
  readonly parentHeader: Partial<JupyterHeader>;
  readonly metadata: JsonObject;
  readonly content: JsonObject;
  /** The bytes of a content that is too large to be parsed; `content` then has what can be told without. */
  readonly unread?: Uint8Array | undefined;
  /** What the kernel has handed over beside the message, by MIME type; of an exception its `traceback`. */
  readonly large?: Readonly<Record<string, HandedFile>> | undefined;
  readonly buffers: readonly Uint8Array[];
}

export type ChannelName = "shell" | "control" | "stdin" | "iopub";

export interface JupyterHeader {
  readonly msg_id: string;
  readonly session: string;
  readonly username: string;
  readonly date: string;
  readonly msg_type: string;
  readonly version: string;
}
