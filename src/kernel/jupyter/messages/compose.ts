import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../support/json/value.ts";
import type { ChannelName, JupyterHeader, JupyterMessage } from "./message.ts";

const protocolVersion = "5.4";

/** Composes messages of one client. Its session stays the same over all connections; each message has an id. */
export class Composer {
  readonly session: string;

  constructor(session: string) {
    this.session = session;
  }

  compose(
    channel: ChannelName,
    type: string,
    content: JsonObject,
    parentHeader: Partial<JupyterHeader> = {},
  ): JupyterMessage {
    const header: JupyterHeader = {
      msg_id: randomUUID(),
      session: this.session,
      username: "granary",
      date: new Date().toISOString(),
      msg_type: type,
      version: protocolVersion,
    };
    return { channel, header, parentHeader, metadata: {}, content, buffers: [] };
  }
}
