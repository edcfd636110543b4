import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { deferred } from "../../support/deferred.ts";
import type { JsonObject } from "../../support/json/value.ts";
import { endMarked, markOf, watchForOurEnd } from "../../support/process/kernel-mark.ts";
import { endsWithin, signalGroup } from "../../support/process/process-group.ts";
import { identityOf, isStillRunning, type ProcessIdentity } from "../../support/process/process-identity.ts";
import { KernelError } from "../errors.ts";
import type { KernelProcess, ProcessExit } from "../jupyter/kernel-process.ts";
import { stoppedProcess, type Trouble } from "../trouble.ts";
import type { KernelModel } from "./rest/create-kernel.ts";
import { type GatewayAddress, shownUrl } from "./rest/gateway-address.ts";
import { ask } from "./rest/rest.ts";

/** A server takes its time to end a kernel that resists, but not for ever. */
const endWithinMs = 15_000;
/** On this machine, Granary ends the kernel itself when the server does not answer. */
const localEndWithinMs = 2000;
/** A killed kernel needs no answer; a healthy server gets the time to forget it. */
const forgetWithinMs = 500;
/** The system ends a killed process soon, unless a device holds it. */
const killWithinMs = 2000;
const betweenGlancesMs = 2;
const interruptWithinMs = 5000;
const lookWithinMs = 5000;
const betweenRequestsMs = 250;
const betweenLooksMs = 300;

interface ProcessChoices {
  /** Whether it stays when it is closed. */
  readonly outlivesUs: boolean;
  /** The process of the gateway, if it runs on this machine. */
  readonly serverPid: number | null;
}

/** A kernel's process, reached through its gateway. */
export class GatewayProcess implements KernelProcess {
  readonly pid: number | null;
  readonly attached = false;
  readonly outlivesUs: boolean;
  readonly #address: GatewayAddress;
  readonly #id: string;
  readonly #identity: ProcessIdentity | null;
  readonly #mark: string | null;
  readonly #stopWatching: () => void;
  readonly #serverPid: number | null;
  readonly #exited = deferred<ProcessExit>();
  readonly exited = this.#exited.promise;
  #ending: Promise<void> | undefined;
  #interruptUnderWay: Promise<void> | null = null;
  #said = "";

  constructor(address: GatewayAddress, { id, pid }: KernelModel, choices: ProcessChoices) {
    this.#address = address;
    this.outlivesUs = choices.outlivesUs;
    this.#serverPid = choices.serverPid;
    this.#id = id;
    this.pid = pid;
    this.#identity = pid === null ? null : identityOf(pid);
    this.#mark = choices.serverPid === null || pid === null ? null : markOf(pid);
    this.#stopWatching = this.#mark === null || this.outlivesUs ? () => {} : watchForOurEnd();
    void this.exited.then(() => this.#stopWatching());
  }

  get said(): string {
    return this.#said;
  }

  readonly interrupt = async (): Promise<void> => {
    const underWay = this.#requestInterrupt().finally(() => {
      this.#interruptUnderWay = null;
    });
    this.#interruptUnderWay = underWay.catch(() => undefined);
    await underWay;
  };

  /** Settles when the server has delivered a requested interrupt: an interrupt on its way could hit the next cell. */
  get interruptUnderWay(): Promise<void> | null {
    return this.#interruptUnderWay;
  }

  /** The server chooses between a signal and a message, as the kernelspec demands. */
  async #requestInterrupt(): Promise<void> {
    const path = `${this.#path}/interrupt`;
    const signal = AbortSignal.timeout(interruptWithinMs);
    const { status } = await ask(this.#address, { method: "POST", path, signal });
    if (status >= 400) throw notInterrupted(status);
  }

  async terminate(): Promise<void> {
    // A server asks the kernel first, and waits; on this machine we can kill it at once.
    if (await this.#killed()) {
      this.#ending ??= this.#end(forgetWithinMs);
      return await this.#ending;
    }
    this.#ending ??= this.#end();
    await this.#ending;
  }

  /** Kills the kernel if it runs on this machine, and waits for its end; false if it runs elsewhere. */
  async #killed(): Promise<boolean> {
    if (this.#identity === null) return false;
    if (isStillRunning(this.#identity)) signalGroup(this.#identity.pid, "SIGKILL");
    const deadline = performance.now() + killWithinMs;
    while (isStillRunning(this.#identity) && performance.now() < deadline) await sleep(betweenGlancesMs);
    // Our gateway does so when it notices the end; it may be stopped, or gone.
    if (this.#mark !== null) await endMarked(this.#mark);
    return true;
  }

  async close(): Promise<void> {
    if (this.outlivesUs) return this.#exited.resolve({ ...unknownEnd });
    this.#ending ??= this.#end();
    await this.#ending;
  }

  /** The server has reported the end. Our own gateway also reports how. */
  died({ exit_code: code, said, shut_down: wasShutDown }: JsonObject): void {
    // Its children would survive; the group keeps its number as long as one of them lives.
    if (this.pid !== null) signalGroup(this.pid, "SIGKILL");
    if (typeof said === "string") this.#said = said;
    const isOurDoing = this.#ending !== undefined;
    if (typeof wasShutDown === "string") {
      const reason = isOurDoing ? undefined : wasShutDown === "gateway" ? gatewayStopped : endedByOther;
      this.#exited.resolve({ ...unknownEnd, reason });
    } else if (typeof code !== "number") {
      this.#exited.resolve({ ...unknownEnd, reason: "The kernel died: the gateway reports it as dead." });
    } else if (code < 0) this.#exited.resolve({ exitCode: null, signal: signalNumbered(-code) });
    else this.#exited.resolve({ exitCode: code, signal: null });
  }

  /** Why waiting for this kernel is useless, as a sentence; null when it may still answer. */
  async whyLost(): Promise<string | null> {
    const signal = AbortSignal.timeout(lookWithinMs);
    // This check must not count as use, or a server would never cull the idle kernel.
    const query = { no_track_activity: "1" };
    const reply = await ask(this.#address, { method: "GET", path: this.#path, query, signal }).catch(() => null);
    const where = `the gateway at ${shownUrl(this.#address)}`;
    if (reply?.status === 404) return `The kernel is gone: ${where} no longer knows it.`;
    if (reply?.status === 401 || reply?.status === 403) {
      return `The kernel cannot be reached: ${where} no longer accepts the token. Set PI_PYTHON_GATEWAY_TOKEN.`;
    }
    const { execution_state: state } = Object(reply?.body) as { readonly execution_state?: unknown };
    if (reply?.status === 200 && state === "dead") return `The kernel died: ${where} reports it as dead.`;
    return null;
  }

  /**
   * Follows the kernel until the signal, and reports its end as `exited`: while a server waits for a kernel's first answer,
   * it does not report that the kernel has ended.
   */
  async followStart(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(betweenLooksMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const { exit_code: code, said } = Object(await this.#look(signal)) as JsonObject;
      if (typeof code === "number" && said !== undefined) return this.died({ exit_code: code, said });
      const reason = await this.whyLost();
      if (reason !== null) return this.#exited.resolve({ ...unknownEnd, reason });
    }
  }

  /** The server's description of the kernel; undefined when it does not answer. */
  async #look(signal: AbortSignal): Promise<unknown> {
    const request = { method: "GET", path: this.#path, query: { no_track_activity: "1" }, signal } as const;
    const reply = await ask(this.#address, request).catch(() => null);
    return reply?.status === 200 ? reply.body : undefined;
  }

  /** On this machine, the system knows. Elsewhere only the server does; the connection finds out whether it answers. */
  async findTrouble(): Promise<Trouble | null> {
    if (this.#identity === null) {
      const reason = await this.whyLost();
      return reason === null ? null : { reason, mayPass: false };
    }
    const { pid } = this.#identity;
    return (
      (await stoppedProcess(pid)) ??
      (this.#serverPid === null ? null : await stoppedProcess(this.#serverPid, "the Jupyter gateway"))
    );
  }

  get #path(): string {
    return `api/kernels/${this.#id}`;
  }

  /** A server that is restarting a kernel answers with an error, but has the kernel. */
  async #requestEnd(signal: AbortSignal): Promise<void> {
    for (;;) {
      const { status } = await ask(this.#address, { method: "DELETE", path: this.#path, signal });
      if (status < 500) return;
      await sleep(betweenRequestsMs, undefined, { signal });
    }
  }

  async #end(localMs = localEndWithinMs): Promise<void> {
    const signal = AbortSignal.timeout(endWithinMs);
    // An unreachable gateway takes its kernels with it, or culls them later.
    const asked = this.#requestEnd(signal).then(
      () => undefined,
      () => `the gateway at ${shownUrl(this.#address)} was asked to end it and did not answer: it may still run there.`,
    );
    if (!(await endsWithin(asked, this.#identity === null ? endWithinMs : localMs)) && (await this.#killed())) {
      // A stopped gateway forgets the kernel when it is continued.
      return this.#exited.resolve({ ...unknownEnd });
    }
    const reason = await asked;
    // A gateway searches as well, but may be gone, and does not wait for their end.
    if (this.#mark !== null) await endMarked(this.#mark);
    this.#exited.resolve({ ...unknownEnd, reason });
  }
}

const endedByOther = "Another client has ended the kernel, for example by a reset of the same session.";
const gatewayStopped =
  "The Jupyter gateway was stopped, and the kernel with it: by `granary gateway stop`, or by a signal (SIGTERM).";
const unknownEnd = { exitCode: null, signal: null } as const;

function signalNumbered(wanted: number): NodeJS.Signals | null {
  const found = Object.entries(constants.signals).find(([, number]) => number === wanted);
  return (found?.[0] ?? null) as NodeJS.Signals | null;
}

function notInterrupted(status: number): KernelError {
  return new KernelError(
    "not-answered",
    `The gateway did not interrupt the kernel (${status}). Try again, or end the kernel.`,
  );
}
