import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { deferred } from "../../support/deferred.ts";
import type { JsonObject } from "../../support/json/value.ts";
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
const interruptWithinMs = 5000;
const lookWithinMs = 5000;
const betweenRequestsMs = 250;

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
    if (this.#identity && isStillRunning(this.#identity)) signalGroup(this.#identity.pid, "SIGKILL");
    this.#ending ??= this.#end();
    await this.#ending;
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
    if (wasShutDown === true) {
      const reason = isOurDoing
        ? undefined
        : "Another client has ended the kernel, for example by a reset of the same session.";
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

  async #end(): Promise<void> {
    const signal = AbortSignal.timeout(endWithinMs);
    // An unreachable gateway takes its kernels with it, or culls them later.
    const asked = this.#requestEnd(signal).then(
      () => undefined,
      () => `the gateway at ${shownUrl(this.#address)} was asked to end it and did not answer: it may still run there.`,
    );
    await endsWithin(asked, endWithinMs);
    this.#exited.resolve({ ...unknownEnd, reason: await asked });
  }
}

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
