import { answeredElsewhere, endOfInput } from "../../../kernel/kernel.ts";
import { visibleText } from "../../../output/text/visible-text.ts";
import type { CommandContext } from "../command/command-context.ts";
import type { StopRequest } from "../command/stop-request.ts";
import { TypedLine } from "./typed-line.ts";

/** The user at the terminal, who answers `input()` and `getpass()`. */
export class Person {
  readonly #context: CommandContext;
  readonly #stop: StopRequest;

  constructor(context: CommandContext, stop: StopRequest) {
    this.#context = context;
    this.#stop = stop;
  }

  async answer(prompt: string, password: boolean, signal: AbortSignal): Promise<string> {
    const { stdin, stdout, stderr, isTerminal } = this.#context;
    // Where the user sees it: the output may go to a file.
    const screen = isTerminal("stdout") ? stdout : stderr;
    if (!password) {
      screen.write(visibleText(prompt));
      // At once: the cell's next output may be in the same packet.
      const withdraw = (): void => {
        if (signal.reason === answeredElsewhere) screen.write(`${answeredElsewhere}\n`);
      };
      signal.addEventListener("abort", withdraw, { once: true });
      return await this.#readLine(signal).finally(() => signal.removeEventListener("abort", withdraw));
    }
    // Raw mode, because otherwise the terminal echoes the password. Ctrl-C is then an ordinary key.
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
    // After Ctrl-D there is nothing more to read: interrupt a cell that keeps asking.
    if (stdin.readableEnded) throw new Error("The user has closed the input with Ctrl-D.");
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
