/** The ways to run Python that are attacked. */
export const worlds = ["cold", "warm", "checkpoints", "zmq", "gateway", "hub"] as const;
export type WorldName = (typeof worlds)[number];

const everywhere = ["kill-kernel", "kill-kernel", "stop-kernel", "interrupt", "reset", "stop-host", "stuffed-pipe"];
const inTheHost = ["full-disk", "no-files"];
const own: Readonly<Record<WorldName, readonly string[]>> = {
  cold: inTheHost,
  warm: [...inTheHost, "kill-template", "stop-template"],
  checkpoints: [...inTheHost, "kill-others", "stop-others", "undo"],
  zmq: [...inTheHost, "rogue-clients"],
  gateway: [...inTheHost, "kill-gateway", "stop-gateway", "damage-record", "rogue-clients"],
  hub: ["kill-hub", "stop-hub", "damage-record", "rogue-clients"],
};

export function faultsOf(world: WorldName): readonly string[] {
  return [...everywhere, ...own[world]];
}

/** The settings of Python in that world. */
export function settingsOf(world: WorldName, maxSessions: number): Readonly<Record<string, unknown>> {
  return {
    backend: world === "zmq" || world === "gateway" ? world : "runner",
    warm: world === "warm" || world === "hub",
    preload: [],
    checkpoints: world === "checkpoints" ? "always" : "off",
    maxSessions,
    interruptGraceSeconds: 0.5,
    heartbeatSeconds: 0.5,
    startSeconds: 60,
    idleMinutes: 5,
    ...(world === "hub" && { hardLimitSeconds: 1, timeoutSeconds: 120 }),
  };
}
