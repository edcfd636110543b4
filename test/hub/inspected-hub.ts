import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import WebSocket from "ws";
import { inRepository } from "../../scripts/repository.mjs";
import { baseEnvironment } from "../hosts/cli/granary.ts";
import { TestHub } from "./test-hub.ts";

export interface Measured {
  /** Of the heap and of buffers, after a collection of garbage. */
  readonly megabytes: number;
  readonly descriptors: number;
  readonly children: number;
}

/** A hub whose memory can be measured exactly, over the protocol of Node's debugger. */
export class InspectedHub extends TestHub {
  #process: ChildProcess | null = null;
  #debugger: WebSocket | null = null;
  #lastId = 0;

  async begin(): Promise<void> {
    const args = ["--inspect=127.0.0.1:0", inRepository("bin/granary"), "hub", "serve"];
    const hub = spawn(process.execPath, args, { env: { ...baseEnvironment(), ...this.env } });
    this.#process = hub;
    let said = "";
    const address = await new Promise<string>((resolve) => {
      hub.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const [found] = /ws:\/\/\S+/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    this.#debugger = new WebSocket(address);
    await once(this.#debugger, "open");
  }

  async measure(): Promise<Measured> {
    const { pid } = this.#process as { readonly pid: number };
    await this.#ask("HeapProfiler.collectGarbage");
    const expression = "(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())";
    const { result } = await this.#ask("Runtime.evaluate", { expression });
    return {
      megabytes: Number(result?.value) / 1_000_000,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      children: readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim().split(" ").length,
    };
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#debugger?.close();
    await super[Symbol.asyncDispose]();
  }

  #ask(method: string, params = {}): Promise<{ readonly result?: { readonly value: unknown } }> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const take = (data: WebSocket.RawData): void => {
        const answer = JSON.parse(String(data));
        if (answer.id !== id) return;
        this.#debugger?.off("message", take);
        resolve(answer.result);
      };
      this.#debugger?.on("message", take);
      this.#debugger?.send(JSON.stringify({ id, method, params }));
    });
  }
}
