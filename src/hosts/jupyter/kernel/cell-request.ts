import type { JupyterHeader, JupyterMessage } from "../../../kernel/jupyter/messages/message.ts";
import { objectOf, stringOf } from "../../../kernel/jupyter/messages/to-event.ts";
import type { CellTerms } from "../../../kernel/kernel.ts";
import type { JsonObject } from "../../../support/json/value.ts";
import type { DoorClient } from "../client/door-client.ts";

/** An `execute_request`, decoded. Missing fields have the specification's defaults. */
export interface CellRequest {
  readonly client: DoorClient;
  readonly header: JupyterHeader;
  readonly code: string;
  readonly terms: CellTerms;
  readonly stopsOnError: boolean;
}

export function toCellRequest(client: DoorClient, { header, content }: JupyterMessage): CellRequest {
  const silent = content.silent === true;
  const named = Object.entries(objectOf(content.user_expressions));
  const expressions = Object.fromEntries(named.map(([name, text]) => [name, stringOf(text)]));
  return {
    client,
    header,
    code: stringOf(content.code),
    terms: {
      parent: plainHeader(header),
      ...(silent && { silent }),
      ...((silent || content.store_history === false) && { unnumbered: true }),
      ...(content.allow_stdin === false && { withoutInput: true }),
      ...(named.length > 0 && { expressions }),
    },
    stopsOnError: content.stop_on_error !== false,
  };
}

/** The header as Python gets it, without any other field of the client. */
export function plainHeader({ msg_id, session, username, date, msg_type, version }: JupyterHeader): JsonObject {
  const fields = { msg_id, session, username, date, msg_type, version };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "string"));
}

export const aborted: JsonObject = { status: "aborted" };
