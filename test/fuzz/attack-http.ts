import { Agent, request } from "node:http";
import { expect } from "vitest";
import { SeededRandom } from "../chaos/random.ts";

const mostGrowthMb = 300;
const atOnce = 8;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** The status; 0 for a connection that was cut, as Node does with a request that is none. */
export function sendHttp(port: number, { method, path, headers, body }: Sent, agent?: Agent): Promise<number> {
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers, agent }, (response) => {
      // A stream of events has no end.
      if (response.headers["content-type"]?.startsWith("text/event-stream")) response.destroy();
      else response.resume();
      response.on("close", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", () => resolve(0));
    sent.end(body);
  });
}

/** Sends many requests over a few connections. A status of 500 or more is a finding. Returns how often each status came. */
export async function attackHttp(
  port: number,
  { seed, cases }: { readonly seed: number; readonly cases: number },
  make: (random: SeededRandom) => Sent,
): Promise<ReadonlyMap<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const statuses = new Map<number, number>();
  const before = process.memoryUsage().rss;
  for (let number = 0; number < cases; number += atOnce) {
    const some = Array.from({ length: atOnce }, async (_, index) => {
      const own = seed * 1_000_003 + number + index;
      const sent = make(new SeededRandom(own));
      const status = await sendHttp(port, sent, agent);
      if (status >= 500) throw new Error(`seed ${own}: ${status} ${sent.method} ${sent.path} ${sent.body}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    await Promise.all(some);
  }
  agent.destroy();
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(mostGrowthMb);
  return statuses;
}

/** Bytes that a path or a header may have. */
export const printable = (bytes: Buffer): string => bytes.toString("latin1").replace(/[^!-~]/g, "~");
