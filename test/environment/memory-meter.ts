import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import WebSocket from "ws";

/** Of a process of Node that has been started with `--inspect`: its memory after a collection of garbage. */
export class MemoryMeter {
  readonly pid: number;
  readonly #debugger: WebSocket;
  #lastId = 0;

  private constructor(pid: number, socket: WebSocket) {
    this.pid = pid;
    this.#debugger = socket;
  }

  static async at(address: string, pid: number): Promise<MemoryMeter> {
    const socket = new WebSocket(address);
    await once(socket, "open");
    return new MemoryMeter(pid, socket);
  }

  /** Bytes of the heap and of buffers. */
  async used(): Promise<number> {
    await this.#ask("HeapProfiler.collectGarbage");
    const expression = "(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())";
    const { result } = await this.#ask("Runtime.evaluate", { expression });
    return Number(result?.value);
  }

  close(): void {
    this.#debugger.close();
  }

  #ask(method: string, params = {}): Promise<{ readonly result?: { readonly value: unknown } }> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const take = (data: WebSocket.RawData): void => {
        const answer = JSON.parse(String(data));
        if (answer.id !== id) return;
        this.#debugger.off("message", take);
        resolve(answer.result);
      };
      this.#debugger.on("message", take);
      this.#debugger.send(JSON.stringify({ id, method, params }));
    });
  }
}

/** Where the debugger listens, which Node says at its start. */
export function debuggerAddress(stderr: Readable): Promise<string> {
  let said = "";
  return new Promise((resolve) => {
    stderr.on("data", (chunk) => {
      said = `${said}${chunk}`.slice(-10_000);
      const [found] = /ws:\/\/\S+/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
}

export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

export function childrenOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
  return children === "" ? 0 : children.split(" ").length;
}

/** In bytes. */
export function residentMemoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
  return Number(kilobytes) * 1024;
}
