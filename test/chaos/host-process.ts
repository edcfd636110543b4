import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { inRepository } from "../../scripts/repository.mjs";
import { type Deferred, deferred } from "../../src/support/deferred.ts";
import type { Moved, Settled } from "./log.ts";
import type { WorldName } from "./worlds.ts";

type Report = Readonly<Record<string, unknown>>;

/** Few enough that a fault can take all of them. */
const mostFiles = 256;

/** The host under attack: a process of its own, which this side gives orders to. */
export class ChaosHost {
  readonly pid: number;
  /** Rejects when the host ends without being asked to. */
  readonly crashed: Promise<never>;
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, Deferred<unknown>>();
  readonly #onSettled: (settled: Settled) => void;
  readonly #onBegan: (id: string) => void;
  readonly #onMoved: (moved: Moved) => void;
  readonly #crashed = deferred<never>();
  #lastOrder = 0;
  #isClosing = false;
  #stderr = "";

  constructor(
    world: WorldName,
    folder: string,
    env: Readonly<Record<string, string>>,
    on: {
      readonly settled: (settled: Settled) => void;
      readonly began: (id: string) => void;
      readonly moved: (moved: Moved) => void;
    },
  ) {
    this.#onSettled = on.settled;
    this.#onBegan = on.began;
    this.#onMoved = on.moved;
    this.crashed = this.#crashed.promise;
    this.crashed.catch(() => {});
    const host = [process.execPath, inRepository("test/chaos/host.mjs"), world, folder];
    this.#child = spawn("/bin/sh", ["-c", `ulimit -n ${mostFiles} && exec "$0" "$@"`, ...host], { env, cwd: folder });
    this.pid = this.#child.pid as number;
    createInterface({ input: this.stdout }).on("line", (line) => this.#take(JSON.parse(line) as Report));
    this.#child.stderr?.on("data", (text) => {
      this.#stderr += text;
    });
    this.#child.on("exit", (code, signal) => {
      if (!this.#isClosing) this.#crashed.reject(new Error(`The host ended: ${code ?? signal} ${this.#stderr}`));
    });
  }

  get stdout(): NodeJS.ReadableStream {
    return this.#child.stdout as NodeJS.ReadableStream;
  }

  order(what: string, details: object = {}): Promise<unknown> {
    const order = ++this.#lastOrder;
    const answer = deferred<unknown>();
    this.#answers.set(order, answer);
    this.#child.stdin?.write(`${JSON.stringify({ do: what, order, ...details })}\n`);
    return Promise.race([answer.promise, this.crashed]);
  }

  async end(): Promise<void> {
    this.#isClosing = true;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.stdin?.end();
    await ended;
  }

  kill(): void {
    this.#isClosing = true;
    this.#child.kill("SIGCONT");
    this.#child.kill("SIGKILL");
  }

  #take(report: Report): void {
    if (typeof report.crashed === "string") this.#crashed.reject(new Error(report.crashed));
    else if (typeof report.began === "string") this.#onBegan(report.began);
    else if (typeof report.moved === "string") {
      this.#onMoved({ type: "moved", session: report.moved, ledger: report.ledger as Moved["ledger"] });
    } else if (typeof report.settled === "string") {
      const { settled: id, ...claim } = report;
      this.#onSettled({ ...(claim as unknown as Settled), type: "settled", id: id as string });
    } else if (typeof report.to === "number") {
      const answer = this.#answers.get(report.to);
      this.#answers.delete(report.to);
      if (typeof report.failed === "string") answer?.reject(new Error(report.failed));
      else answer?.resolve(report.answer);
    }
  }
}
