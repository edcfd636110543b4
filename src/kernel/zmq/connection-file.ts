import { readFile, writeFile } from "node:fs/promises";
import { systemReason } from "../../support/files/system-reason.ts";
import { KernelError } from "../errors.ts";
import type { Endpoint } from "./zmtp/socket.ts";

/** How to reach a kernel: what its connection file says. */
export interface Connection {
  readonly transport: "tcp" | "ipc";
  /** With ipc, the beginning of the sockets' paths. */
  readonly ip: string;
  readonly ports: Readonly<Record<SocketName, number>>;
  readonly key: string;
  readonly signatureScheme: string;
}

export type SocketName = "shell" | "iopub" | "stdin" | "control" | "hb";

const socketNames: readonly SocketName[] = ["shell", "iopub", "stdin", "control", "hb"];

export function endpointOf({ transport, ip, ports }: Connection, name: SocketName): Endpoint {
  if (transport === "ipc") return { path: `${ip}-${ports[name]}` };
  const host = ip === "*" || ip === "0.0.0.0" || ip === "" ? "127.0.0.1" : ip;
  return { host, port: ports[name] };
}

/** Whoever can read it can run code as its owner, so nobody else may. */
export async function writeConnectionFile(path: string, connection: Connection, kernelName: string): Promise<void> {
  const { transport, ip, ports, key, signatureScheme } = connection;
  const file = {
    transport,
    ip,
    ...Object.fromEntries(socketNames.map((name) => [`${name}_port`, ports[name]])),
    key,
    signature_scheme: signatureScheme,
    kernel_name: kernelName,
  };
  await writeFile(path, JSON.stringify(file, null, 2), { mode: 0o600, flag: "wx" });
}

export async function readConnectionFile(path: string): Promise<Connection> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw unusable(path, `cannot be read: ${systemReason(cause)}`, cause);
  });
  try {
    return decode(JSON.parse(text));
  } catch (cause) {
    throw unusable(path, cause instanceof SyntaxError ? "is no JSON" : (cause as Error).message, cause);
  }
}

function decode(file: Readonly<Record<string, unknown>>): Connection {
  const { transport = "tcp", ip = "127.0.0.1", key = "", signature_scheme: signatureScheme = "hmac-sha256" } = file;
  if (transport !== "tcp" && transport !== "ipc") throw new Error(`names the unknown transport ${String(transport)}`);
  if (typeof ip !== "string" || typeof key !== "string" || typeof signatureScheme !== "string") {
    throw new Error("has no text for ip, key or signature_scheme");
  }
  const ports = socketNames.map((name) => {
    const port = file[`${name}_port`];
    if (typeof port !== "number" || port <= 0) throw new Error(`has no ${name}_port`);
    return [name, port] as const;
  });
  return { transport, ip, ports: Object.fromEntries(ports) as Connection["ports"], key, signatureScheme };
}

function unusable(path: string, problem: string, cause: unknown): KernelError {
  const remedy = "Give the file that the kernel was started with; in a notebook, %connect_info shows it.";
  return new KernelError("start-failed", `The connection file ${path} ${problem}. ${remedy}`, { cause });
}
