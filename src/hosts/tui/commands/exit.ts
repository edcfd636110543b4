import type { ConsoleCommand } from "./command.ts";

export const exit: ConsoleCommand = {
  name: "exit",
  summary: "leaves, as ctrl+d does; a session in the hub stays, and granary attach returns to it",
  run: (_argument, console) => console.leave(),
};

export const quit: ConsoleCommand = { ...exit, name: "quit", summary: "leaves, as /exit does" };
