import { answerCall } from "../answer-call.ts";
import type { OnHostCall } from "../host-call.ts";
import type { Frame } from "./wire/frames.ts";

type CallFrame = Extract<Frame, { readonly t: "host-call" }>;

/** The calls of Python code that are under way. A thread may make one between cells. */
export class HostCalls {
  readonly #onHostCall: OnHostCall | undefined;
  readonly #reply: (call: number, reply: string) => void;
  readonly #underWay = new Map<number, AbortController>();

  constructor(onHostCall: OnHostCall | undefined, reply: (call: number, reply: string) => void) {
    this.#onHostCall = onHostCall;
    this.#reply = reply;
  }

  /** Settles when the reply has been sent. */
  async take({ call, name, args, main }: CallFrame): Promise<void> {
    const waits = new AbortController();
    this.#underWay.set(call, waits);
    const reply = await answerCall(this.#onHostCall, { name, args, signal: waits.signal, onMainThread: main });
    const isWanted = this.#underWay.delete(call);
    if (isWanted && reply !== null) this.#reply(call, reply);
  }

  /** Python no longer waits. */
  cancel(call: number): void {
    this.#underWay.get(call)?.abort();
    this.#underWay.delete(call);
  }

  /** Python has ended. */
  end(): void {
    for (const call of this.#underWay.keys()) this.cancel(call);
  }
}
