import type { IncomingMessage, ServerResponse } from "node:http";
import { EventStream } from "./event-stream.ts";
import { readJson } from "./read-json.ts";
import { type Answer, namedIn, type Route, refusal } from "./route.ts";

/** In bytes: a body without a token. */
const longestOfStrangers = 10_000;

/** The head of a request, which tells whether it may be answered. */
export interface Visit {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly hasToken: boolean;
}

export interface RouterOptions {
  readonly routes: readonly Route[];
  readonly visit: (request: IncomingMessage) => Visit;
  /** The answer to requests without a token: a sentence. */
  readonly noToken: string;
  readonly longestBody: number;
  /** For every answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The answer to a failure that is the client's; null for all others. */
  readonly explain?: ((error: unknown) => Answer | null) | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Answers requests by a table. Everything is refused that is not in the table, or has no token. */
export class Router {
  readonly #options: RouterOptions;

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    this.#answer(request).then(
      (answer) => this.#send(response, answer),
      (error: unknown) => {
        const explained = this.#options.explain?.(error) ?? null;
        if (explained === null) this.#options.onError?.(error);
        this.#send(response, explained ?? refusal(500, error instanceof Error ? error.message : String(error)));
      },
    );
  };

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { noToken, longestBody } = this.#options;
    const visit = this.#options.visit(request);
    const there = this.#routesAt(visit.path);
    const wanted = visit.method === "HEAD" ? "GET" : visit.method;
    const found = there.find(({ route }) => route.method === wanted);
    if (!visit.hasToken && !found?.route.isOpen) return refusal(403, noToken);
    if (there.length === 0) return refusal(404, `There is nothing at ${visit.path}.`);
    if (found === undefined) return refusal(405, `${visit.method} is not possible at ${visit.path}.`);
    const body = await readJson(request, visit.hasToken ? longestBody : longestOfStrangers);
    if (typeof body === "string") return refusal(400, body);
    const knownVersion = request.headers["if-none-match"] ?? null;
    return found.route.handle({ named: found.named, body, query: visit.query, knownVersion });
  }

  #routesAt(path: string): readonly { readonly route: Route; readonly named: Readonly<Record<string, string>> }[] {
    return this.#options.routes.flatMap((route) => {
      const named = namedIn(route.path, path);
      return named === null ? [] : [{ route, named }];
    });
  }

  #send(response: ServerResponse, answer: Answer): void {
    const always = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", ...this.#options.headers };
    const isHead = response.req.method === "HEAD";
    if ("follow" in answer) {
      response.writeHead(200, { ...always, "Content-Type": "text/event-stream" });
      if (isHead) return void response.end();
      response.flushHeaders();
      return answer.follow(new EventStream(response));
    }
    if ("content" in answer) {
      response.writeHead(answer.status, { ...always, ...answer.headers });
      return void response.end(isHead ? undefined : answer.content);
    }
    response.writeHead(answer.status, { ...always, "Content-Type": "application/json" });
    response.end(answer.body === undefined || isHead ? undefined : JSON.stringify(answer.body));
  }
}
