import { randomUUID } from "node:crypto";
import type { OngoingCall, PendingQuestion } from "./ongoing-call.ts";

/** So long may a person think; then the call is cancelled, so that Python does not wait for ever. */
export const patienceMs = 15 * 60_000;

export interface WaitingCall {
  readonly call: OngoingCall;
  readonly question: PendingQuestion;
}

/** Calls between two requests: a question is with the client, and its answer will come with the ticket. */
export class WaitingCalls {
  readonly #calls = new Map<string, WaitingCall & { readonly timer: NodeJS.Timeout }>();

  /** The ticket cannot be guessed, and is good for one answer. */
  park(call: OngoingCall, question: PendingQuestion): string {
    const ticket = randomUUID();
    const timer = setTimeout(() => this.take(ticket)?.call.cancel(), patienceMs);
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

  /** Nobody will answer any more. */
  cancelAll(): void {
    for (const ticket of this.#calls.keys()) this.take(ticket)?.call.cancel();
  }
}
