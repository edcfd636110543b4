import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { procFile } from "../../support/process/proc-files.ts";
import { identityOf, type ProcessIdentity } from "../../support/process/process-identity.ts";
import { systemEnvironment, systemProgram } from "../../support/process/system-program.ts";

/** The program that has started this server, directly or through a launcher. */
export interface ClientProcess {
  readonly identity: ProcessIdentity;
  /** `claude`, `code` */
  readonly name: string;
}

/** Launchers, which end with the server that they start. */
const launchers = /^(sh|bash|dash|zsh|fish|env|timeout|npx|npm.*|bunx|pnpm.*|yarn.*|uv|uvx)$/;
const mostSteps = 5;

export function clientProcess(pid = process.ppid): ClientProcess {
  let found = look(pid);
  for (let steps = 0; steps < mostSteps && launchers.test(found.name) && found.parent > 1; steps++) {
    found = look(found.parent);
  }
  return { identity: identityOf(found.pid), name: nameOf(found) };
}

/** A program that runs scripts is named for its script: `gemini`, not `node`. */
const interpreters = /^(node|bun|deno|python[\d.]*|MainThread|node-MainThread)$/;

function nameOf({ pid, name }: Found): string {
  if (!interpreters.test(name)) return name;
  return scriptName(argumentsOf(pid)) ?? (name.endsWith("MainThread") ? "node" : name);
}

/** `gemini` for `node /x/bin/gemini.js`, and `gemini-cli` for `node /x/gemini-cli/dist/index.js`. */
export function scriptName([, ...args]: readonly string[]): string | null {
  const script = args.find((arg, at) => !arg.startsWith("-") && !takesValue.test(args[at - 1] ?? "")) ?? "";
  const parts = script.split("/").map((part) => part.replace(/\.[cm]?[jt]s$|\.py$/, ""));
  return parts.findLast((part) => part !== "" && !anyScript.test(part)) ?? null;
}

/** Options of Node whose value is a word of its own. */
const takesValue = /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions|-e|--eval|-p|--print)$/;

/** Names that say nothing. */
const anyScript = /^(index|main|__main__|cli|server|start|dist|bin|bundle|build|lib|src|out|\.|\.\.)$/;

function argumentsOf(pid: number): readonly string[] {
  try {
    if (process.platform === "linux") return procFile(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return execFileSync(systemProgram("ps"), ["-o", "args=", "-p", String(pid)], {
      encoding: "utf8",
      env: systemEnvironment,
    })
      .trim()
      .split(/\s+/);
  } catch {
    return [];
  }
}

/** Names the default session of a client in a folder: the same for each server that this client process starts there. */
export function clientSession({ identity, name }: ClientProcess, folder: string): string {
  const parts = JSON.stringify([identity.pid, identity.began, folder]);
  const hash = createHash("sha256").update(parts).digest("hex").slice(0, 4);
  return `${name.replace(/[^\w-]+/g, "-").slice(0, 20) || "client"}-${hash}`;
}

interface Found {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
}

function look(pid: number): Found {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const end = stat.lastIndexOf(")");
      const [, parent] = stat.slice(end + 2).split(" ");
      return { pid, parent: Number(parent), name: stat.slice(stat.indexOf("(") + 1, end) };
    }
    const line = execFileSync(systemProgram("ps"), ["-o", "ppid=,comm=", "-p", String(pid)], {
      encoding: "utf8",
      env: systemEnvironment,
    }).trim();
    const [parent = "0", ...command] = line.split(/\s+/);
    return { pid, parent: Number(parent), name: command.join(" ").split("/").at(-1) ?? "" };
  } catch {
    return { pid, parent: 0, name: "client" };
  }
}
