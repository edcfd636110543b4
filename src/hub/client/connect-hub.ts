import { connect, type Socket } from "node:net";
import type { Environment } from "../../support/environment.ts";
import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import { hubFolder } from "../start/hub-folder.ts";
import { type HubRecord, readHubRecord } from "../start/hub-record.ts";
import { type Handlers, Peer } from "../wire/peer.ts";

interface HubHello {
  readonly token: string;
  readonly version: string;
  /** For people: `console`, `granary run`, or the name of an MCP client. */
  readonly name: string;
  readonly pid: number;
  /** The client gives up then; a hub that hung until later refuses it and runs nothing. */
  readonly goodUntil: number;
}

export interface ConnectOptions {
  /** Granary's own folder. */
  readonly home: string;
  readonly env: Environment;
  readonly version: string;
  readonly name: string;
  /** Answers requests of the hub, such as questions of `input()`. */
  readonly handlers?: Handlers | undefined;
  readonly onNews?: ((name: string, news: unknown) => void) | undefined;
  /** Whether to start a hub where none runs; true by default. */
  readonly starts?: boolean | undefined;
  /** The folder whose settings may forbid a start (`hub.use`). Without it, the caller has asked them already. */
  readonly settingsOf?: string | undefined;
  /** Whether a hub of another version will do: for `status` and `stop`. */
  readonly anyVersion?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Sends the first request along with the greeting, which saves a round trip. A hub that refuses the greeting refuses the request as
   * well, and the next hub that is tried gets both again.
   */
  readonly along?: ((peer: Peer) => void) | undefined;
}

/** A hub that says nothing for this long hangs. */
const answerWithinMs = 20_000;
/** A hub that closes its connections ends within this time: it ends its kernels first. */
const endsWithinMs = 10_000;

/** A connection to the hub, which is started if none runs; null if it must not be started. */
export async function connectHub(options: ConnectOptions): Promise<Peer | null> {
  const folder = hubFolder(options.home);
  const known = readHubRecord(folder);
  const peer = known === null ? null : await greet(known, options);
  if (peer !== null) return peer;
  if (options.starts === false || !(await mayStart(options))) return null;
  const { startHub } = await import("../start/start-hub.ts");
  for (let attempt = 1; ; attempt++) {
    const record = await startHub(options.home, options.env, options.signal);
    const started = await greet(record, options);
    if (started !== null) return started;
    // One that is ending no longer listens.
    if (attempt > 1 || !(await endsSoon(record))) throw hangs(record);
  }
}

/** Asked only where no hub runs: one that runs asks the settings itself. */
async function mayStart({ settingsOf, env, home }: ConnectOptions): Promise<boolean> {
  if (settingsOf === undefined) return true;
  const { loadSettings } = await import("../../settings/load-settings.ts");
  const { values } = await loadSettings({ cwd: settingsOf, env, home });
  return values.hub.use !== "never";
}

/** Null where no hub listens. */
async function greet(record: HubRecord, options: ConnectOptions): Promise<Peer | null> {
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const begun = await reach(record.socket, (socket) => beginTalk(socket, record, options));
  if (begun === null) return null;
  const { peer, greeted } = begun;
  try {
    // Node's first timer takes a while, in which the hub is already at work.
    timer = setTimeout(() => {
      isLate = true;
      peer.destroy();
    }, answerWithinMs);
    await greeted;
    return peer;
  } catch (error) {
    peer.destroy();
    if (!isGranaryError(error, "hub-gone")) throw error;
    // A hub that is ending still accepts connections.
    if (isLate || !(await endsSoon(record))) throw hangs(record);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

interface BegunTalk {
  readonly peer: Peer;
  readonly greeted: Promise<unknown>;
}

function beginTalk(socket: Socket, { token }: HubRecord, options: ConnectOptions): BegunTalk {
  const { version, name, handlers = {}, onNews, anyVersion = false, along } = options;
  const peer = new Peer(socket, () => handlers, onNews);
  const hello: HubHello = { token, version, name, pid: process.pid, goodUntil: Date.now() + answerWithinMs };
  const greeted = peer.request("hello", { ...hello, anyVersion }, { leavesLater: true });
  along?.(peer);
  peer.flush();
  return { peer, greeted };
}

async function endsSoon(record: HubRecord): Promise<boolean> {
  const { isStillRunning } = await import("../../support/process/process-identity.ts");
  const giveUpAt = Date.now() + endsWithinMs;
  while (isStillRunning(record)) {
    if (Date.now() > giveUpAt) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

/** @param begin called with the connection, before Node prepares to read from it */
function reach<Begun>(path: string, begin: (socket: Socket) => Begun): Promise<Begun | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(begin(socket)));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      // Reset: a hub that has just ended had not taken the connection yet.
      const isUnused = ["ENOENT", "ECONNREFUSED", "ECONNRESET", "ENOTSOCK"].includes(error.code ?? "");
      if (isUnused) resolve(null);
      else reject(new GranaryError("hub-start", `The hub's socket ${path} cannot be reached: ${error.message}.`));
    });
  });
}

function hangs({ pid }: HubRecord): GranaryError {
  return new GranaryError(
    "hub-failed",
    `The hub (process ${pid}) does not answer. End it, and its sessions, with: granary hub stop --force`,
  );
}
