import { endOfInput } from "../../../kernel/kernel.ts";
import { visibleText } from "../../../output/text/visible-text.ts";
import type { CommandContext } from "../command/command-context.ts";
import type { StopRequest } from "../command/stop-request.ts";
import { TypedLine } from "./typed-line.ts";

/** The person at the terminal, who answers `input()` and `getpass()`. */
export class Person {
  readonly #context: CommandContext;
  readonly #stop: StopRequest;

  constructor(context: CommandContext, stop: StopRequest) {
    this.#context = context;
    this.#stop = stop;
  }

  async answer(prompt: string, password: boolean, signal: AbortSignal): Promise<string> {
    const { stdin, stdout, stderr, isTerminal } = this.#context;
    // Where it is seen, though the output may go into a file.
    const screen = isTerminal("stdout") ? stdout : stderr;
    if (!password) {
      screen.write(visibleText(prompt));
      return this.#readLine(signal);
    }
    // Raw, because otherwise the terminal itself shows what is typed. It makes Ctrl-C a key like any other.
    stdin.setRawMode?.(true);
    try {
      screen.write(visibleText(prompt));
      return await this.#readLine(signal);
    } finally {
      stdin.setRawMode?.(false);
      screen.write("\n");
    }
  }

  async #readLine(signal: AbortSignal): Promise<string> {
    const { stdin } = this.#context;
    // After Ctrl-D there is nothing more to read: a cell that goes on asking is better interrupted.
    if (stdin.readableEnded) throw new Error("The person at the terminal has ended the input.");
    const line = new TypedLine();
    const stopReading = new AbortController();
    const take = (chunk: Buffer | string): void => {
      line.type(String(chunk));
      if (line.state === "interrupted") this.#stop.request("SIGINT");
      if (line.state === "complete" || line.state === "ended") stopReading.abort();
    };
    const end = (): void => {
      line.end();
      stopReading.abort();
    };
    stdin.on("data", take).on("end", end).resume();
    try {
      await aborted(AbortSignal.any([signal, stopReading.signal]));
      return line.state === "ended" ? endOfInput : line.text;
    } finally {
      // A stdin that is being read would keep the program alive.
      stdin.off("data", take).off("end", end).pause();
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
