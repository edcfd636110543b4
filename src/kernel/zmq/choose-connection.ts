import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Connection, SocketName } from "./connection-file.ts";

/** The path of a local socket has room for about a hundred bytes. */
const longestPath = 90;
const names: readonly SocketName[] = ["shell", "iopub", "stdin", "control", "hb"];

/**
 * How to talk to a kernel that is about to start. Sockets in a private folder are better than ports: other users cannot
 * open them, and no other program can take them before the kernel does.
 */
export async function chooseConnection(folder: string, { ipc }: { readonly ipc: boolean }): Promise<Connection> {
  const key = randomBytes(32).toString("hex");
  const signatureScheme = "hmac-sha256";
  const prefix = join(folder, "socket");
  if (ipc && process.platform !== "win32" && Buffer.byteLength(prefix) <= longestPath) {
    const ports = { shell: 1, iopub: 2, stdin: 3, control: 4, hb: 5 };
    return { transport: "ipc", ip: prefix, ports, key, signatureScheme };
  }
  const free = await freePorts(names.length);
  const ports = Object.fromEntries(names.map((name, index) => [name, free[index]])) as Connection["ports"];
  return { transport: "tcp", ip: "127.0.0.1", ports, key, signatureScheme };
}

/** Ports that were free a moment ago, all different. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    return await Promise.all(
      servers.map(
        (server) =>
          new Promise<number>((resolve, reject) => {
            server.once("error", reject);
            server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
          }),
      ),
    );
  } finally {
    for (const server of servers) server.close();
  }
}
