import type { ChildProcess } from "node:child_process";
import { requireDescriptors } from "./descriptors.ts";

/**
 * A child that really runs; rejects with the system's error otherwise. Every program is started through this: Node
 * reports a failed start with an event, which crashes the host without a listener, and a child that found no file
 * descriptors has no streams.
 */
export async function started<C extends ChildProcess>(start: () => C): Promise<C> {
  requireDescriptors();
  const child = start();
  const failed = new Promise<Error>((resolve) => child.on("error", resolve));
  if (child.pid === undefined) throw await failed;
  return child;
}
