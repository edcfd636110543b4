import { on } from "node:events";
import type { StopRequest } from "./stop-request.ts";
import type { Surroundings } from "./surroundings.ts";
import { TypedLine } from "./typed-line.ts";

/** The person at the terminal, who answers `input()` and `getpass()`. */
export class Person {
  readonly #surroundings: Surroundings;
  readonly #stop: StopRequest;

  constructor(surroundings: Surroundings, stop: StopRequest) {
    this.#surroundings = surroundings;
    this.#stop = stop;
  }

  async answer(prompt: string, password: boolean, signal: AbortSignal): Promise<string> {
    const { stdin, stdout, stderr, isTerminal } = this.#surroundings;
    // Where it is seen, though the output may go into a file.
    const screen = isTerminal("stdout") ? stdout : stderr;
    if (!password) {
      screen.write(prompt);
      return this.#readLine(signal);
    }
    // Raw, because otherwise the terminal itself shows what is typed. It makes Ctrl-C a key like any other.
    stdin.setRawMode?.(true);
    try {
      screen.write(prompt);
      return await this.#readLine(signal);
    } finally {
      stdin.setRawMode?.(false);
      screen.write("\n");
    }
  }

  async #readLine(signal: AbortSignal): Promise<string> {
    const { stdin } = this.#surroundings;
    // Ctrl-D counts as an empty line, once: a cell that goes on asking is better interrupted.
    if (stdin.readableEnded) throw new Error("The person at the terminal has ended the input.");
    const line = new TypedLine();
    const chunks = on(stdin, "data", { signal, close: ["end"] });
    stdin.resume();
    try {
      for await (const [chunk] of chunks) {
        line.type(String(chunk));
        if (line.state === "interrupted") this.#stop.request("SIGINT");
        if (line.state === "complete") break;
      }
      return line.text;
    } finally {
      // A stdin that is being read would keep the program alive.
      stdin.pause();
    }
  }
}
