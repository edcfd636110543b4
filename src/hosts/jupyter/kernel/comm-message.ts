import type { CommMessage } from "../../../kernel/jupyter/messages/comms.ts";
import type { JupyterMessage } from "../../../kernel/jupyter/messages/message.ts";
import { objectOf, stringOf } from "../../../kernel/jupyter/messages/to-event.ts";
import { isTooDeep } from "../../../support/json/deep-json.ts";

const types: readonly string[] = ["comm_open", "comm_msg", "comm_close"] satisfies CommMessage["type"][];

/** In characters: comms are named by UUIDs, their targets by modules. */
const longestName = 1000;

/** The message of a client for a comm; null for another one, and for one that no comm could understand. */
export function toCommMessage({ header, content, metadata, buffers, unread }: JupyterMessage): CommMessage | null {
  const type = header.msg_type;
  if (!isCommType(type) || unread !== undefined || isTooDeep(content) || isTooDeep(metadata)) return null;
  const [id, target] = [stringOf(content.comm_id), stringOf(content.target_name)];
  const isNamed = id !== "" && (type !== "comm_open" || target !== "");
  if (!isNamed || id.length > longestName || target.length > longestName) return null;
  const named = { comm_id: id, ...(type === "comm_open" && { target_name: target }) };
  return { type, content: { ...named, data: objectOf(content.data) }, metadata, buffers };
}

function isCommType(type: string): type is CommMessage["type"] {
  return types.includes(type);
}
