import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readHubRecord } from "../../src/hub/start/hub-record.ts";
import { sharedGateways, stopSharedGateways } from "../../src/kernel/gateway/shared/shared-gateway.ts";
import { environment, newestPython } from "../environment/pythons.ts";
import type { Mark } from "./log.ts";
import { processesOf, signalInWorld, type WorldProcess } from "./machine.ts";
import type { WorldName } from "./worlds.ts";

/** A folder with everything that a run touches: home, temporary files, artifacts on a small disk, the cells' own reports. */
export class ChaosWorld {
  readonly name: WorldName;
  readonly folder = mkdtempSync(join(tmpdir(), "chaos-"));
  readonly env: Readonly<Record<string, string>>;
  readonly witness = join(this.folder, "witness");
  readonly home = join(this.folder, "home");
  readonly disk = join(this.folder, "disk");
  /** Whether the folder of artifacts is a disk that can be filled; needs root. */
  readonly hasSmallDisk: boolean;

  constructor(name: WorldName) {
    this.name = name;
    for (const name of ["user", "tmp", "home", "disk"]) mkdirSync(join(this.folder, name));
    writeFileSync(this.witness, "");
    this.hasSmallDisk = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", this.disk]).status === 0;
    this.env = {
      PATH: `${dirname(this.#python)}:/usr/bin:/bin`,
      HOME: join(this.folder, "user"),
      TMPDIR: join(this.folder, "tmp"),
      GRANARY_HOME: this.home,
      GRANARY_HUB: name === "hub" ? "auto" : "never",
    };
  }

  get #python(): string {
    if (this.name !== "zmq" && this.name !== "gateway") return newestPython().path;
    const found = environment("main");
    if ("missing" in found) throw new Error(found.missing);
    return found.python;
  }

  /** The reports of the cells so far. */
  marks(): readonly Mark[] {
    const lines = readFileSync(this.witness, "utf8")
      .split("\n")
      .filter((line) => line !== "");
    return lines.map((line) => {
      const [what, id = "", pid] = line.split(" ");
      return { type: "mark", what: what as Mark["what"], id, pid: Number(pid) };
    });
  }

  processes(): readonly WorldProcess[] {
    return processesOf(this.folder);
  }

  /** The gateway or the hub. */
  async server(): Promise<{ readonly pid: number; readonly record: string; readonly address: string } | null> {
    if (this.name === "hub") {
      const folder = join(this.home, "hub");
      const found = readHubRecord(folder);
      return found && { pid: found.pid, record: join(folder, "hub.json"), address: found.socket };
    }
    const [found] = await sharedGateways(this.home).catch(() => []);
    return found === undefined
      ? null
      : { pid: found.pid, record: join(found.folder, "gateway.json"), address: found.url };
  }

  /** Ends the gateways and the hub, and waits until only the host and the known processes are left; those besides the host. */
  async endServers(host: number, isKnown: (command: string) => boolean): Promise<readonly string[]> {
    if (this.name === "gateway") await stopSharedGateways(this.home);
    if (this.name === "hub") for (const { pid } of this.#hubs()) signalInWorld(this.folder, pid, "SIGTERM");
    let left: readonly string[] = [];
    for (let round = 0; round < 200; round++) {
      left = this.processes().flatMap(({ pid, command }) => (pid === host ? [] : [command]));
      if (left.every(isKnown)) return left;
      await sleep(50);
    }
    return left;
  }

  #hubs(): readonly WorldProcess[] {
    return this.processes().filter(({ command }) => command.includes("hub serve"));
  }

  remove(): void {
    for (const { pid } of this.processes()) signalInWorld(this.folder, pid, "SIGKILL");
    if (this.hasSmallDisk) spawnSync("umount", [this.disk]);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
