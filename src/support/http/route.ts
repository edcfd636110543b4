import type { JsonObject, JsonValue } from "../json/value.ts";
import type { EventStream } from "./event-stream.ts";

/** The answer to a request: JSON, bytes of another type, or events as they come. */
export type Answer = JsonAnswer | ContentAnswer | StreamAnswer;

/** Without a body for 204. */
export interface JsonAnswer {
  readonly status: number;
  readonly body?: JsonValue;
}

interface ContentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | Uint8Array;
}

interface StreamAnswer {
  readonly status: 200;
  /** Called when the head of the answer is sent. */
  readonly follow: (events: EventStream) => void;
}

export interface RouteRequest {
  /** The parts of the path that the route names with a colon. */
  readonly named: Readonly<Record<string, string>>;
  /** The body, if it is an object; else an empty one. */
  readonly body: JsonObject;
  readonly query: URLSearchParams;
  /** Of the same URL, requested before: the client has that version. */
  readonly knownVersion: string | null;
}

/** One method at one path. All need the token, but for the few that are open. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `/api/kernels/:kernel` */
  readonly path: string;
  readonly isOpen?: true;
  handle(request: RouteRequest): Answer | Promise<Answer>;
}

export const ok = (body: JsonValue): JsonAnswer => ({ status: 200, body });
export const noContent: JsonAnswer = { status: 204 };
export const refusal = (status: number, message: string): JsonAnswer => ({ status, body: { message, reason: null } });

/** The parts that a route names, if the path is of its form. */
export function namedIn(route: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = route.split("/");
  const given = path.replace(/(?<=.)\/$/, "").split("/");
  if (wanted.length !== given.length) return null;
  const named: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] as string;
    if (part.startsWith(":")) named[part.slice(1)] = decoded(text);
    else if (part !== text) return null;
  }
  return named;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
