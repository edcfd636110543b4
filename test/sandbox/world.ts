import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir, networkInterfaces, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { inRepository } from "../../scripts/repository.mjs";
import type { EngineName } from "../../src/sandbox/engine.ts";
import { settingLimits } from "../../src/sandbox/landlock-launcher.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import type { SandboxMode } from "../../src/sandbox/sandbox-plan.ts";
import { newestPython } from "../environment/pythons.ts";

/** The number of an ordinary user, where tests run as root. */
const ordinary = 65_534;

interface OpenOptions {
  readonly withoutMounts?: boolean;
  readonly cwd?: string;
  readonly write?: readonly string[];
  readonly trusted?: readonly string[];
}

/** A machine in miniature: a home with secrets, a project, files outside, sockets, and another program of the user. */
export class World {
  readonly folder: string;
  readonly uid: number | undefined;
  readonly #servers: Server[] = [];
  #victim: ChildProcess | undefined;
  /** What the other program has: a terminal, shared memory, messages. */
  #belongings: Readonly<Record<string, unknown>> = {};
  port = 0;

  /** @param asRoot false for an ordinary user, which only root can become */
  constructor(asRoot: boolean) {
    // Not below /tmp, which a sandbox replaces, nor below a home that others may not enter.
    const isRoot = process.getuid?.() === 0;
    const parent = isRoot ? "/var/cache" : homedir();
    this.folder = realpathSync(mkdtempSync(join(parent, "granary-world-")));
    this.uid = isRoot && !asRoot ? ordinary : undefined;
    const files = {
      "home/.ssh/id_rsa": "private key",
      "home/.aws/credentials": "cloud key",
      "home/.docker/cli/secret": "in a hidden folder",
      "home/.Xauthority": "cookie",
      "home/.bashrc": "",
      "home/cache/package": "",
      "home/granary/token": "token",
      "outside/victim": "untouched",
      "outside/folder/file": "",
      "outside/fish/config.fish": "",
      "outside/venv/bin/activate": "",
      "project/.git/hooks/sample": "",
      "project/.git/config": "[core]\n\thooksPath = scripts/hooks # shared\n[include]\n\tpath = ../scripts/gitconfig\n",
      "project/.git/worktrees/other/commondir": "../..\n",
      "project/.git/modules/sub/config": "",
      "project/scripts/hooks/pre-commit": "",
      "project/scripts/gitconfig": "",
      "project/.cursor/mcp.json": "{}",
      "project/.idea/workspace.xml": "",
      "project/.envrc": "",
      "project/.git/HEAD": "ref: refs/heads/main\n",
      "project/.granary/modules/own.py": "",
      "project/.venv/bin/activate": "",
      "project/.bashrc": "",
      "project/sub/file": "",
    };
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(this.path(name)), { recursive: true });
      writeFileSync(this.path(name), content);
    }
    // As an earlier cell could have made them: names that a sandbox protects, which lead out of the folder.
    for (const [link, target] of Object.entries({
      ".config": "../outside",
      venv: "../outside/venv",
      ".vscode": "../outside/folder",
    })) {
      symlinkSync(target, this.path(`project/${link}`));
    }
    // As uv and pnpm install packages.
    linkSync(this.path("home/cache/package"), this.path("project/shared-with-a-cache"));
    execFileSync("chmod", ["755", this.folder]);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async start(): Promise<void> {
    for (const path of this.#sharedFiles) {
      writeFileSync(path, "everybody's");
      this.giveAway(path);
    }
    await this.#listen({ path: this.path("home/agent.sock") });
    if (process.getuid?.() === 0) await this.#listen({ path: this.runSocket });
    const server = await this.#listen({ port: 0, host: "127.0.0.1" });
    this.port = (server.address() as { port: number }).port;
    this.giveAway(this.folder);
    const { uid } = this;
    this.#victim = spawn(systemPython, ["-I", inRepository("test/sandbox/attempts/victim.py"), this.abstract], {
      cwd: this.path("home"),
      env: { PATH: "/usr/bin:/bin", SECRET: "x" },
      stdio: ["ignore", "pipe", "ignore"],
      ...(uid !== undefined && { uid, gid: uid }),
    });
    const said = await new Promise<Buffer>((resolve) => this.#victim?.stdout?.once("data", resolve));
    this.#belongings = JSON.parse(String(said)) as Record<string, unknown>;
    if (process.getuid?.() === 0) execFileSync("chmod", ["777", this.runSocket]);
  }

  get abstract(): string {
    return `granary-${this.folder}`;
  }

  get runSocket(): string {
    return `/run/granary-test-${process.pid}.sock`;
  }

  get sharedMemory(): string {
    return `/dev/shm/granary-test-${process.pid}`;
  }

  get tmpFile(): string {
    return `/tmp/granary-test-${process.pid}`;
  }

  get #sharedFiles(): readonly string[] {
    const inMemory = process.platform === "linux" ? [this.sharedMemory] : [];
    return [...inMemory, this.tmpFile, join(tmpdir(), basename(this.tmpFile))];
  }

  giveAway(path: string): void {
    if (this.uid !== undefined) execFileSync("chown", ["-R", `${this.uid}:${this.uid}`, path]);
  }

  open(
    engine: EngineName,
    mode: SandboxMode,
    python: string,
    { withoutMounts = false, cwd = this.path("project"), write = [], trusted = [] }: OpenOptions = {},
  ): Sandbox {
    const sandbox = openSandbox(
      {
        mode,
        network: "off",
        cwd,
        write,
        trusted,
        show: [dirname(dirname(realpathSync(python)))],
        // As a pyvenv.cfg could say that a cell wrote.
        claimed: [this.path("home/.docker/cli"), this.path("home/.ssh"), this.path("home")],
        userHome: this.path("home"),
        // That of root, in which an ordinary user cannot cover anything.
        accountHome: this.path("home"),
        granaryHome: this.path("home/granary"),
        // Other sockets of this machine may be in folders that the ordinary user cannot enter.
        sockets: [this.path("home/agent.sock"), this.path("home/log.sock")].filter((path) => existsSync(path)),
      },
      engineFor(engine, python, withoutMounts),
    );
    this.giveAway(dirname(sandbox.plan.tmp));
    this.giveAway(this.path("home/granary"));
    return sandbox;
  }

  /** The outcomes of all attempts, by name. */
  tryEverything(
    sandbox: Pick<Sandbox, "engine" | "plan" | "launcher" | "env">,
    python: string,
    { ownNetwork = true } = {},
  ): Record<string, string> {
    const world = {
      home: this.path("home"),
      granary: this.path("home/granary"),
      project: this.path("project"),
      outside: this.path("outside"),
      tmp: tmpdir(),
      victim: this.#victim?.pid ?? 0,
      parent: process.pid,
      socket: this.path("home/agent.sock"),
      datagrams: this.path("home/log.sock"),
      runSocket: this.runSocket,
      abstract: this.abstract,
      address: ownAddress(),
      claimed: this.path("home/.docker/cli"),
      ...this.#belongings,
      port: this.port,
      sharedMemory: this.sharedMemory,
      tmpFile: this.tmpFile,
      ownNetwork,
      ownName: sandbox.engine === "bwrap",
    };
    const script = `${sandbox.plan.cwd}/attempts`;
    cpSync(inRepository("test/sandbox/attempts"), script, { recursive: true });
    this.giveAway(script);
    const [program = "", ...args] = [...sandbox.launcher, python, "-I", script, JSON.stringify(world)];
    const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: this.path("home"), ...sandbox.env };
    const { uid } = this;
    const options = {
      cwd: sandbox.plan.cwd,
      env,
      encoding: "utf8",
      ...(uid !== undefined && { uid, gid: uid }),
    } as const;
    return JSON.parse(execFileSync(program, args, { ...options, timeout: 120_000 })) as Record<string, string>;
  }

  /** Whether nothing outside has changed. */
  get isUntouched(): boolean {
    const names = [this.path("outside"), this.path("home/.ssh")].flatMap(everythingIn);
    const { size, mode, uid } = statSync(this.path("outside/victim"));
    return (
      this.#victim?.exitCode === null &&
      this.#victim.signalCode === null &&
      size === "untouched".length &&
      (mode & 0o7777) === 0o644 &&
      uid === (this.uid ?? process.getuid?.()) &&
      !/escaped|new|made|renamed|by-/.test(names.join("\n"))
    );
  }

  remove(): void {
    // A debugger that ended may have left it stopped.
    this.#victim?.kill("SIGCONT");
    this.#victim?.kill("SIGINT");
    for (const server of this.#servers) server.close();
    for (const path of this.#sharedFiles) rmSync(path, { force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #listen(options: { path: string } | { port: number; host: string }): Promise<Server> {
    const server = createServer((socket) => socket.on("error", () => {}).end());
    this.#servers.push(server);
    await new Promise<void>((resolve, reject) => server.on("error", reject).listen(options, resolve));
    return server;
  }
}

function everythingIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}

/** An engine that is known to work here. */
export function engineFor(name: EngineName, python: string, withoutMounts = false) {
  const engines = {
    bwrap: { name: "bwrap", program: "/usr/bin/bwrap" },
    landlock: { name: "landlock", python, withoutMounts },
    "sandbox-exec": { name: "sandbox-exec", program: "/usr/bin/sandbox-exec", python },
  } as const;
  return engines[name];
}

/** A Python that is not of the project. That in /usr/bin of macOS may ask for the developer tools. */
export const systemPython = process.platform === "darwin" ? newestPython().path : "/usr/bin/python3";

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flat();
  return all.find((one) => one?.family === "IPv4" && !one.internal)?.address ?? "192.0.2.1";
}

/** Why an engine cannot be tested here; null where it can. */
export function whyNotTested(engine: EngineName): string | null {
  if (engine === "sandbox-exec") return process.platform === "darwin" ? null : "not on macOS";
  if (process.platform !== "linux") return "not on Linux";
  if (engine === "landlock") return landlockProblem();
  if (!existsSync("/usr/bin/bwrap")) return "bubblewrap is not installed";
  try {
    execFileSync("/usr/bin/bwrap", ["--ro-bind", "/", "/", "--unshare-pid", "true"], { stdio: "ignore" });
    return null;
  } catch {
    return "this system allows no namespaces";
  }
}

/** The end of a title: the reason for a skip, if there is one. */
export function skipReason(engine: EngineName): string {
  const whyNot = whyNotTested(engine);
  return whyNot === null ? "" : ` (skipped: ${whyNot})`;
}

function landlockProblem(): string | null {
  try {
    const said = execFileSync("/usr/bin/python3", [...settingLimits, "--probe"], { encoding: "utf8" });
    return Number.parseInt(said, 10) > 0 ? null : "this kernel has no Landlock";
  } catch {
    return "there is no /usr/bin/python3";
  }
}
