import { randomUUID } from "node:crypto";
import type { OngoingCall, PendingQuestion } from "./ongoing-call.ts";

/** A person has this long to answer; then the call is cancelled, so that Python does not wait for ever. */
export const answerTimeoutMs = 15 * 60_000;

export interface WaitingCall {
  readonly call: OngoingCall;
  readonly question: PendingQuestion;
}

/** Calls between two requests: the client has the question, and returns the ticket with the answer. */
export class WaitingCalls {
  readonly #calls = new Map<string, WaitingCall & { readonly timer: NodeJS.Timeout }>();

  /** The ticket cannot be guessed and is valid for one answer. */
  park(call: OngoingCall, question: PendingQuestion): string {
    const ticket = randomUUID();
    const timer = setTimeout(() => this.take(ticket)?.call.cancel(), answerTimeoutMs);
    timer.unref();
    this.#calls.set(ticket, { call, question, timer });
    return ticket;
  }

  take(ticket: string): WaitingCall | undefined {
    const waiting = this.#calls.get(ticket);
    this.#calls.delete(ticket);
    clearTimeout(waiting?.timer);
    return waiting;
  }

  /** Cancels the calls: no answers will come. */
  cancelAll(): void {
    for (const ticket of this.#calls.keys()) this.take(ticket)?.call.cancel();
  }
}
