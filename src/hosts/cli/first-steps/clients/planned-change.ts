import { readFile, stat } from "node:fs/promises";
import { systemReason } from "../../../../support/files/system-reason.ts";
import { JsonSyntaxError } from "../../../../support/json/tokens.ts";
import type { JsonValue } from "../../../../support/json/value.ts";
import type { McpClient, ServerCommand } from "./clients.ts";
import { JsonWithComments } from "./json-with-comments.ts";
import { addServerToToml, hasServerInToml } from "./toml-server.ts";
import { TomlSyntaxError } from "./toml-statements.ts";

/** A change of a client's file, or the reason for none. */
export type PlannedChange =
  | { readonly type: "change"; readonly client: McpClient; readonly before: string | null; readonly after: string }
  | {
      readonly type: "done";
      readonly client: McpClient;
      /** The command of the entry that is there, where it is another one; null where it is this or unknown. */
      readonly otherCommand: string | null;
    }
  | {
      readonly type: "refused";
      readonly client: McpClient;
      readonly reason: string;
      /** The lines of a new file, for the user to add. */
      readonly byHand: string;
    };

const name = "granary";

/** Reads the client's file; writes nothing. */
export async function planChange(client: McpClient, server: ServerCommand): Promise<PlannedChange> {
  const refused = (reason: string): PlannedChange => refusal(client, reason, server);
  const before = await readText(client.file);
  if (before instanceof Error) return refused(before.message);
  try {
    const plan = planIn(client, before, server);
    // Replacing a file needs no right to write it: ask its mode.
    return plan.type === "change" && before !== null && (await isReadOnly(client.file))
      ? refused("it is read-only")
      : plan;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return refused(`it cannot be read as a JSON object: ${error.message}`);
    if (error instanceof TomlSyntaxError) return refused(`it cannot be read as TOML: ${error.message}`);
    throw error;
  }
}

/** @throws {JsonSyntaxError | TomlSyntaxError} */
function planIn(client: McpClient, before: string | null, server: ServerCommand): PlannedChange {
  const refused = (reason: string): PlannedChange => refusal(client, reason, server);
  const entry = client.entry(server);
  if (client.format.type === "toml") {
    if (hasServerInToml(before ?? "", name)) return { type: "done", client, otherCommand: null };
    const after = addServerToToml(before ?? "", name, entry);
    return after === null
      ? refused("it has mcp_servers on one line, which cannot be extended")
      : change(client, before, after);
  }
  const { key } = client.format;
  const hasContent = (before ?? "").replace(/^\uFEFF/, "").trim() !== "";
  const document = new JsonWithComments(hasContent ? (before ?? "") : `${(before ?? "").trimEnd()}{}\n`);
  const servers = document.root.get(key);
  if (servers !== undefined && (typeof servers !== "object" || servers === null || Array.isArray(servers))) {
    return refused(`its ${JSON.stringify(key)} is no object`);
  }
  const isThere = servers !== undefined && Object.hasOwn(servers, name);
  if (!isThere) return change(client, before, document.withMember([key], name, entry));
  const found = commandOf((servers as Readonly<Record<string, JsonValue>>)[name]);
  return { type: "done", client, otherCommand: found === commandOf(entry) ? null : found };
}

/** As a person would type it; clients have it as text with a list of arguments, or as one list. */
function commandOf(entry: unknown): string | null {
  const { command, args } = (entry ?? {}) as { readonly command?: unknown; readonly args?: unknown };
  const words = [command, args].flat().filter((word) => typeof word === "string");
  return words.length === 0 ? null : words.join(" ");
}

function refusal(client: McpClient, reason: string, server: ServerCommand): PlannedChange {
  const fresh = planIn(client, null, server);
  return { type: "refused", client, reason, byHand: fresh.type === "change" ? fresh.after : "" };
}

function change(client: McpClient, before: string | null, after: string): PlannedChange {
  return { type: "change", client, before, after };
}

async function isReadOnly(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  return (mode & 0o222) === 0;
}

/** Null for a file that does not exist. */
async function readText(path: string): Promise<string | null | Error> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    return new Error(error instanceof TypeError ? "it is not UTF-8 text" : `it cannot be read: ${systemReason(error)}`);
  }
}
