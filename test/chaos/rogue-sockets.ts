import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ChaosWorld } from "./chaos-world.ts";

/** Where strangers can knock: the hub's socket, the gateway's port, and all sockets in the temporary folder. */
export async function rogueSockets(world: ChaosWorld): Promise<readonly (string | { readonly port: number })[]> {
  const server = await world.server();
  const address = server?.address;
  const known =
    address === undefined ? [] : [address.startsWith("http") ? { port: Number(new URL(address).port) } : address];
  return [...known, ...socketsIn(join(world.folder, "tmp")).slice(0, 10)];
}

function socketsIn(folder: string): readonly string[] {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file));
    return files.filter((file) => lstatSync(file, { throwIfNoEntry: false })?.isSocket());
  } catch {
    return []; // a folder was removed while we were looking
  }
}
