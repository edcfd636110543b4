import { Transform, type TransformCallback } from "node:stream";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";

const newline = 0x0a;

/**
 * Passes on the lines that are messages. The SDK drops a line that is not JSON without a word, and does not answer one
 * that is no message: a client that sends one would wait for ever.
 */
export class WellFormedLines extends Transform {
  readonly #answer: (line: string) => void;
  readonly #longest: number;
  #begun: Buffer[] = [];
  #length = 0;

  /** @param longest the reader refuses longer lines itself */
  constructor(answer: (line: string) => void, longest: number) {
    super();
    this.#answer = answer;
    this.#longest = longest;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#begun.push(chunk.subarray(start, end + 1));
      this.#take(this.#wholeLine());
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    this.#begun.push(rest);
    this.#length += rest.length;
    if (this.#length > this.#longest) this.push(this.#wholeLine());
    done();
  }

  #wholeLine(): Buffer {
    const line = Buffer.concat(this.#begun);
    this.#begun = [];
    this.#length = 0;
    return line;
  }

  #take(line: Buffer): void {
    const problem = problemOf(line.toString("utf8"));
    if (problem === null) this.push(line);
    else if (problem !== "empty") this.#answer(`${JSON.stringify({ jsonrpc: "2.0", ...problem })}\n`);
  }
}

type Problem = {
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
};

/** What the sender is told, by the codes of JSON-RPC; null for a message. */
function problemOf(line: string): Problem | "empty" | null {
  if (line.trim() === "") return "empty";
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { id: null, error: { code: -32700, message: "This line is not JSON." } };
  }
  try {
    parseJSONRPCMessage(message);
    return null;
  } catch {
    return { id: idOf(message), error: { code: -32600, message: "This is not a message of JSON-RPC 2.0." } };
  }
}

function idOf(message: unknown): string | number | null {
  const { id } = (message ?? {}) as { readonly id?: unknown };
  return typeof id === "string" || typeof id === "number" ? id : null;
}
