import type { JsonObject } from "../../../support/json/value.ts";
import type { HandedFile } from "../handed-files.ts";

/** A message of Jupyter's protocol, over any transport. Its JSON keeps Jupyter's own snake_case names. */
export interface JupyterMessage {
  readonly channel: ChannelName;
  readonly header: JupyterHeader;
  readonly parentHeader: Partial<JupyterHeader>;
  readonly metadata: JsonObject;
  readonly content: JsonObject;
  /** The bytes of a content that is too large to parse; `content` then has the part that is known without. */
  readonly unread?: Uint8Array | undefined;
  /** Files that the kernel has handed over beside the message, by MIME type; for an exception its `traceback`. */
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
