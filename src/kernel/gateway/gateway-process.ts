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

/** A server takes its time to end a kernel that does not want to; but not for ever. */
const endWithinMs = 15_000;
const interruptWithinMs = 5000;
const lookWithinMs = 5000;
const betweenRequestsMs = 250;

interface ProcessChoices {
  /** Whether it stays when it is closed. */
  readonly outlivesUs: boolean;
  /** The process of the gateway, if it is one of this machine. */
  readonly serverPid: number | null;
}

/** A kernel's process as it can be reached through its gateway. */
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

  /** Settles when the server has passed on an interrupt that it was asked for: what is sent before could be hit by it. */
  get interruptUnderWay(): Promise<void> | null {
    return this.#interruptUnderWay;
  }

  /** A server chooses rightly between a signal and a message, as the kernelspec asks for it. */
  async #requestInterrupt(): Promise<void> {
    const path = `${this.#path}/interrupt`;
    const signal = AbortSignal.timeout(interruptWithinMs);
    const { status } = await ask(this.#address, { method: "POST", path, signal });
    if (status >= 400) throw notInterrupted(status);
  }

  async terminate(): Promise<void> {
    // A server asks a kernel first, and waits; where we can, we do not.
    if (this.#identity && isStillRunning(this.#identity)) signalGroup(this.#identity.pid, "SIGKILL");
    this.#ending ??= this.#end();
    await this.#ending;
  }

  async close(): Promise<void> {
    if (this.outlivesUs) return this.#exited.resolve({ ...unknownEnd });
    this.#ending ??= this.#end();
    await this.#ending;
  }

  /** The server has said so. Our own says also how. */
  died({ exit_code: code, said, shut_down: wasShutDown }: JsonObject): void {
    // Its children would live on; the number stays that of their group as long as there is one of them.
    if (this.pid !== null) signalGroup(this.pid, "SIGKILL");
    if (typeof said === "string") this.#said = said;
    const isOurDoing = this.#ending !== undefined;
    if (wasShutDown === true) {
      const reason = isOurDoing
        ? undefined
        : "Somebody else has ended the kernel, such as by a reset of the same session.";
      this.#exited.resolve({ ...unknownEnd, reason });
    } else if (typeof code !== "number") {
      this.#exited.resolve({ ...unknownEnd, reason: "The kernel died; the gateway that runs it says so." });
    } else if (code < 0) this.#exited.resolve({ exitCode: null, signal: signalNumbered(-code) });
    else this.#exited.resolve({ exitCode: code, signal: null });
  }

  /** Why there is no sense in waiting for this kernel, as a sentence; null when there may be. */
  async whyLost(): Promise<string | null> {
    const signal = AbortSignal.timeout(lookWithinMs);
    // A server, or a hub, that ends what nobody uses should not take our looking for use.
    const query = { no_track_activity: "1" };
    const reply = await ask(this.#address, { method: "GET", path: this.#path, query, signal }).catch(() => null);
    const where = `the gateway at ${shownUrl(this.#address)}`;
    if (reply?.status === 404) return `The kernel is gone: ${where} does not know it any more.`;
    if (reply?.status === 401 || reply?.status === 403) {
      return `The kernel cannot be reached: ${where} does not accept the token any more. Set PI_PYTHON_GATEWAY_TOKEN.`;
    }
    const { execution_state: state } = Object(reply?.body) as { readonly execution_state?: unknown };
    if (reply?.status === 200 && state === "dead") return `The kernel died; ${where} says so.`;
    return null;
  }

  /** On this machine, the system knows. Elsewhere only the server does; whether it answers, the connection finds out. */
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

  /** A server that is just starting a kernel again answers with an error, and has the kernel all the same. */
  async #requestEnd(signal: AbortSignal): Promise<void> {
    for (;;) {
      const { status } = await ask(this.#address, { method: "DELETE", path: this.#path, signal });
      if (status < 500) return;
      await sleep(betweenRequestsMs, undefined, { signal });
    }
  }

  async #end(): Promise<void> {
    const signal = AbortSignal.timeout(endWithinMs);
    // A gateway that cannot be asked any more takes its kernels with it, or ends them when it misses us.
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
