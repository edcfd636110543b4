import type { Ledger } from "../../session/ledger.ts";
import type { ToolResult } from "../../tools/definition/tool.ts";

/** The details of a call that ran cells. */
interface Ran {
  readonly session: string;
  readonly ledger: Ledger;
}

const reason = "The hub that had it has ended.";
const notice = `Note: Python was restarted: ${reason} Earlier variables are gone.`;

/**
 * Reports, in the first result of each session, that the hub with its variables has ended between two calls. The next hub knows
 * nothing of them.
 */
export class LostVariables {
  #hub: string | null = null;
  /** The last kernel of each session that a result has named, counted over all hubs. */
  readonly #generations = new Map<string, number>();
  /** How many kernels each session had in earlier hubs. */
  #before = new Map<string, number>();
  /** Sessions whose next ledger says it. */
  readonly #untold = new Set<string>();
  /** The hub of which a failed call has said that it, and all sessions with it, have ended. */
  #failed: string | null = null;
  #isKnown = false;

  /** A call to that hub failed because it has ended, and says so. */
  callFailed(): void {
    this.#failed = this.#hub;
  }

  /** @param hub the same for one process */
  connected(hub: string): void {
    if (this.#hub !== null && this.#hub !== hub) {
      this.#untold.clear();
      this.#isKnown = this.#failed === this.#hub;
      this.#before = new Map(this.#generations);
      for (const session of this.#generations.keys()) this.#untold.add(session);
    }
    this.#hub = hub;
  }

  reportIn(result: ToolResult): ToolResult {
    const { details } = result;
    if (!hasRun(details)) return result;
    const { session } = details;
    const known = this.#generations.get(session) ?? 0;
    // A hub that is ending may refuse a cell without a kernel to count.
    const generation = Math.max(known, details.ledger.generation + (this.#before.get(session) ?? 0));
    this.#generations.set(session, generation);
    const isNews = this.#untold.delete(session);
    const ledger: Ledger = { ...details.ledger, generation, ...(isNews && { state: "restarted", reason }) };
    const content =
      isNews && !this.#isKnown ? [...result.content, { type: "text" as const, text: notice }] : result.content;
    return { ...result, content, details: { ...details, ledger } };
  }
}

function hasRun(details: object | null): details is Ran {
  const { session, ledger } = (details ?? {}) as Partial<Ran>;
  return typeof session === "string" && typeof ledger?.generation === "number";
}
