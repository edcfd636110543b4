import { rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { ChaosWorld } from "./chaos-world.ts";
import type { ChaosHost } from "./host-process.ts";
import { signalInWorld } from "./machine.ts";
import type { Fault } from "./program.ts";
import { rogueSockets } from "./rogue-sockets.ts";

interface Target {
  readonly world: ChaosWorld;
  readonly host: ChaosHost;
  /** The session of each cell. */
  sessionOf(id: string): string | undefined;
}

/** Ends a fault. */
type End = () => void | Promise<unknown>;
const nothing: End = () => {};

/** Strikes; the returned function ends a fault that lasts. */
export async function strike(fault: Fault, target: Target): Promise<End> {
  const { world, host } = target;
  const { folder } = world;
  const stop = (pid: number | undefined): End => {
    signalInWorld(folder, pid, "SIGSTOP");
    return () => void signalInWorld(folder, pid, "SIGCONT");
  };
  const kill = (pid: number | undefined): End => {
    signalInWorld(folder, pid, fault.signal);
    return nothing;
  };
  switch (fault.kind) {
    case "kill-kernel":
      return kill(kernelOf(fault.session, target));
    case "stop-kernel":
      return stop(kernelOf(fault.session, target));
    case "stop-host":
      return stop(host.pid);
    case "interrupt":
    case "reset":
    case "undo": {
      const done = host.order(fault.kind, { session: fault.session }).catch(() => {});
      return () => done;
    }
    case "stuffed-pipe":
      host.stdout.pause();
      return () => void host.stdout.resume();
    case "full-disk":
      return fillDisk(world);
    case "no-files":
      void host.order("takeFiles");
      return () => host.order("freeFiles");
    case "kill-template":
    case "stop-template": {
      const template = world
        .processes()
        .find(({ parent, command }) => parent === host.pid && / template\b/.test(command));
      return fault.kind === "kill-template" ? kill(template?.pid) : stop(template?.pid);
    }
    case "kill-others":
    case "stop-others": {
      const kernels = new Set(world.marks().map(({ pid }) => pid));
      const others = world.processes().filter(({ pid }) => pid !== host.pid && !kernels.has(pid));
      const other = others[fault.holdMs % Math.max(1, others.length)]?.pid;
      return fault.kind === "kill-others" ? kill(other) : stop(other);
    }
    case "kill-gateway":
    case "kill-hub":
      return kill((await world.server())?.pid);
    case "stop-gateway":
    case "stop-hub":
      return stop((await world.server())?.pid);
    case "damage-record":
      return damage((await world.server())?.record, fault.holdMs % 2 === 0);
    case "rogue-clients":
      return rogueClients(await rogueSockets(world), fault.holdMs);
    default:
      throw new Error(`There is no fault ${fault.kind}.`);
  }
}

/** The process of the last cell of a session that has begun. */
function kernelOf(session: string, { world, sessionOf }: Target): number | undefined {
  return world.marks().findLast(({ id, what }) => what === "begin" && sessionOf(id) === session)?.pid;
}

function fillDisk({ disk, hasSmallDisk }: ChaosWorld): End {
  if (!hasSmallDisk) return nothing;
  const ballast = join(disk, "ballast");
  for (const size of [65_536, 4096, 1]) {
    try {
      for (let n = 0; n < 64; n++) writeFileSync(ballast, Buffer.alloc(size), { flag: "a" });
    } catch {} // it is full
  }
  return () => rmSync(ballast, { force: true });
}

function damage(record: string | undefined, deletes: boolean): End {
  if (record !== undefined && deletes) rmSync(record, { force: true });
  else if (record !== undefined) writeFileSync(record, '{"pid": 12');
  return nothing;
}

/** Clients that send nonsense, close one direction, or never read. */
function rogueClients(addresses: readonly (string | { readonly port: number })[], seed: number): End {
  const nonsense = Buffer.from(Array.from({ length: 600 }, (_, n) => (n * seed) & 255));
  const sockets = addresses.flatMap((address) =>
    [0, 1, 2].map((way) => {
      const socket = typeof address === "string" ? connect(address) : connect(address.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.on("connect", () => {
        socket.write(nonsense.subarray(0, seed % 600));
        if (way === 0) socket.end();
        if (way === 1) socket.pause();
        if (way === 2 && typeof address !== "string") socket.resetAndDestroy();
        if (way === 2) socket.destroy();
      });
      return socket;
    }),
  );
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
