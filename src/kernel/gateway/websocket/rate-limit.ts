import type { JupyterMessage } from "../../jupyter/messages/message.ts";

/**
 * What a server says, in place of a cell's output, when it drops that output because it is too much for it; null for
 * every other message. It writes in the name of our session, which the kernel never does.
 */
export function rateLimitNotice({ header, content }: JupyterMessage, session: string): string | null {
  if (header.msg_type !== "stream" || header.session !== session || typeof content.text !== "string") return null;
  const kind = /^IOPub (data|message) rate exceeded/.exec(content.text)?.[1];
  if (kind === undefined) return null;
  const option = kind === "data" ? "iopub_data_rate_limit" : "iopub_msg_rate_limit";
  const limit = new RegExp(`${option}=(\\S+ \\(\\S+\\))`).exec(content.text)?.[1];
  const which = limit === undefined ? option : `${option} of ${limit}`;
  return `the server drops output beyond its ${which}; print less at once, or have the limit raised`;
}
