import { GranaryError } from "../../support/granary-error.ts";
import type { AgentWish } from "../agent-wire.ts";

/** The one place where a client's request for an agent becomes a typed value: a client's mistake must not end the sessions of all. */
export function decodeWish(value: unknown): AgentWish {
  const wish = (isObject(value) ? value : {}) as Partial<Record<keyof AgentWish, unknown>>;
  const { key, session, label, cwd, client, env, settings, resultBytes } = wish;
  const isWhole =
    [key, session, label, cwd].every((text) => typeof text === "string") &&
    (client === null || isIdentity(client)) &&
    isObject(env) &&
    Object.values(env).every((text) => typeof text === "string") &&
    (settings === undefined || isObject(settings)) &&
    (resultBytes === null || typeof resultBytes === "number");
  if (isWhole) return value as AgentWish;
  throw new GranaryError("hub-protocol", "The client's request for an agent is incomplete. Install Granary again.");
}

function isIdentity(value: unknown): boolean {
  const { pid, began } = (isObject(value) ? value : {}) as { readonly pid?: unknown; readonly began?: unknown };
  return Number.isInteger(pid) && (began === null || typeof began === "string");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
