import { mcpClients } from "../clients/clients.ts";

/** A shell's offers for an argument: names that Granary prints, files, or these words. */
export type Completed = "sessions" | "notebooks" | "folders" | "files" | readonly string[];

/** For the words behind a command; the last entry stands for all later ones. */
export function completedArguments(words: readonly string[]): readonly Completed[] {
  const [command = "", inner] = words;
  if (command === "notebook") return inner === undefined ? [] : ["notebooks"];
  if (command === "sessions") return inner === "save" ? ["sessions", "notebooks"] : ["sessions"];
  return argumentsOf[command] ?? ["files"];
}

const argumentsOf: Readonly<Record<string, readonly Completed[]>> = {
  attach: ["sessions"],
  look: ["sessions"],
  // Ids of executions are not worth a question to the hub.
  wait: [[]],
  trust: ["folders"],
  init: [mcpClients({}).map(({ id }) => id)],
};

/** For the value of an option. */
export function completedValue(option: string): Completed {
  if (option === "--session") return "sessions";
  if (option === "--cwd" || option === "--root" || option === "--folder") return "folders";
  if (option === "--backend") return ["runner", "zmq", "gateway", "auto"];
  return "files";
}

/** Prints the names of sessions, one on each line; starts no hub. */
export const sessionNames = "granary sessions --quiet 2>/dev/null";
