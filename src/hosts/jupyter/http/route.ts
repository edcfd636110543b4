import type { JsonObject, JsonValue } from "../../../support/json/value.ts";

/** The answer to a request; without a body for 204. */
export interface Answer {
  readonly status: number;
  readonly body?: JsonValue;
}

export interface RouteRequest {
  /** The parts of the path that the route names with a colon. */
  readonly named: Readonly<Record<string, string>>;
  /** The body, if it is an object; else an empty one. */
  readonly body: JsonObject;
}

/** One method at one path. All need the token, but for the few that are open. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `/api/kernels/:kernel` */
  readonly path: string;
  readonly isOpen?: true;
  handle(request: RouteRequest): Answer | Promise<Answer>;
}

export const ok = (body: JsonValue): Answer => ({ status: 200, body });
export const noContent: Answer = { status: 204 };
export const refusal = (status: number, message: string): Answer => ({ status, body: { message, reason: null } });

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
