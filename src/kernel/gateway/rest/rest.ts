import { Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { rootCertificates } from "node:tls";
import { authorization, type GatewayAddress, urlOn } from "./gateway-address.ts";

export interface RestRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the gateway's base: `api/kernels`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface RestReply {
  readonly status: number;
  /** Undefined where there is none, or it is not JSON. */
  readonly body: unknown;
}

/** Longer than any reply of a gateway. */
const longestReply = 16 * 1024 * 1024;

/** Asks a gateway. Any status is a reply; rejects without one, with the system's error or the signal's reason. */
export function ask(address: GatewayAddress, { method, path, query, body, signal }: RestRequest): Promise<RestReply> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const url = urlOn(address, path, query);
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      ...authorization(address),
      Accept: "application/json",
      ...(payload && { "Content-Type": "application/json", "Content-Length": payload.byteLength }),
    };
    const start = url.protocol === "https:" ? secureRequest : plainRequest;
    const request = start(url, { method, headers, agent: agentFor(address), ...secureOptions(address) });
    const stop = (): void => void request.destroy(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    request.on("close", () => signal?.removeEventListener("abort", stop));
    request.on("error", reject);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.byteLength;
        if (length > longestReply) request.destroy(new Error("the reply is too long for one of a gateway"));
      });
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(chunks)) }));
    });
    request.end(payload);
  });
}

/** For requests and for the WebSocket alike. */
export function secureOptions({ ca, validateCertificate = true }: GatewayAddress): {
  readonly ca?: string[];
  readonly rejectUnauthorized: boolean;
} {
  return { ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }), rejectUnauthorized: validateCertificate };
}

/** Our own agent: the global one may use a proxy, which cannot reach this machine. */
export function agentFor({ url }: GatewayAddress): PlainAgent {
  return new URL(url).protocol === "https:" ? new SecureAgent() : new PlainAgent();
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
