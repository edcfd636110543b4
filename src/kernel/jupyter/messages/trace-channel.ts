import { jsonText } from "../../../support/json/deep-json.ts";
import type { Trace } from "../../trace.ts";
import type { JupyterChannel } from "./channel.ts";
import type { JupyterMessage } from "./message.ts";

/** A channel that traces every message, without buffers. Typed passwords are left out. */
export function traceChannel(channel: JupyterChannel, trace: Trace): JupyterChannel {
  const passwords = new Set<string>();
  return {
    send(message) {
      trace("send", message.channel, textOf(message, passwords));
      channel.send(message);
    },
    listen(listener) {
      channel.listen({
        ...listener,
        onMessage(message) {
          if (message.header.msg_type === "input_request" && message.content.password === true) {
            passwords.add(message.header.msg_id);
          }
          trace("receive", message.channel, textOf(message, passwords));
          listener.onMessage(message);
        },
      });
    },
    hold: (held) => channel.hold(held),
    get bytesRead() {
      return channel.bytesRead ?? 0;
    },
    drain: async () => channel.drain?.(),
    close: () => channel.close(),
  };
}

function textOf({ header, parentHeader, metadata, content }: JupyterMessage, passwords: ReadonlySet<string>): string {
  const isPassword = header.msg_type === "input_reply" && passwords.has(parentHeader.msg_id ?? "");
  const shown = isPassword ? { ...content, value: "<masked>" } : content;
  return jsonText({
    msg_type: header.msg_type,
    msg_id: header.msg_id,
    parent: parentHeader.msg_id,
    metadata,
    content: shown,
  });
}
