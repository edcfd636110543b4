import { type ChildProcess, spawn } from "node:child_process";
import { inRepository } from "../../scripts/repository.mjs";
import { childrenOf, debuggerAddress, descriptorsOf, MemoryMeter } from "../environment/memory-meter.ts";
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
  #meter: MemoryMeter | null = null;

  async begin(): Promise<void> {
    const args = ["--inspect=127.0.0.1:0", inRepository("bin/granary"), "hub", "serve"];
    const hub = spawn(process.execPath, args, { env: { ...baseEnvironment(), ...this.env } });
    this.#process = hub;
    this.#meter = await MemoryMeter.at(await debuggerAddress(hub.stderr), hub.pid as number);
  }

  get pid(): number {
    return (this.#process as { readonly pid: number }).pid;
  }

  async measure(): Promise<Measured> {
    return {
      megabytes: Number(await this.#meter?.used()) / 1_000_000,
      descriptors: descriptorsOf(this.pid),
      children: childrenOf(this.pid),
    };
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#meter?.close();
    await super[Symbol.asyncDispose]();
  }
}
