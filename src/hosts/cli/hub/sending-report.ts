import { sentResult } from "../../../hub/server/sent-result.ts";
import type { IncomingCall } from "../../../hub/wire/peer.ts";
import type { KernelEvent, StreamName } from "../../../kernel/events.ts";
import { withLargeContents } from "../../../kernel/large-content.ts";
import type { ShownDisplay } from "../../../output/output-part.ts";
import type { ExecutionResult } from "../../../session/execution/execution.ts";
import type { Settings } from "../../../settings/settings.ts";
import type { Report } from "../report/report.ts";
import type { SentReport } from "./sent-report.ts";

/** In the hub: sends everything that is reported to the client, as fast as it reads. */
export class SendingReport implements Report {
  readonly #tell: (sent: SentReport, text?: string) => void | Promise<void>;
  readonly #isJson: boolean;

  constructor(call: Pick<IncomingCall, "tell">, { isJson }: { readonly isJson: boolean }) {
    this.#tell = (sent, text) => call.tell(sent, text);
    this.#isJson = isJson;
  }

  runBegins({ console }: Settings): void {
    void this.#tell({ call: "runBegins", console });
  }

  cellBegins(): void {
    void this.#tell({ call: "cellBegins" });
  }

  take(event: KernelEvent, text?: string, shown?: ShownDisplay): void | Promise<void> {
    if (event.type === "stream") {
      // A JSON document has the text of the result.
      return this.#isJson ? undefined : this.#tell({ call: "print", name: event.name }, event.text);
    }
    return this.#takeWhole(event, text, shown);
  }

  async #takeWhole(event: KernelEvent, text?: string, shown?: ShownDisplay): Promise<void> {
    const isLarge = (event.type === "display" || event.type === "result") && event.large !== undefined && this.#isJson;
    const whole = isLarge ? await withLargeContents(event, () => mostBytes) : event;
    await this.#tell({
      call: "take",
      event: withoutFiles(whole),
      ...(text !== undefined && { text }),
      ...(shown && { shown }),
    });
  }

  async personIsAsked(): Promise<void> {
    await this.#tell({ call: "personIsAsked" });
  }

  background(text: string, name: StreamName): void {
    void this.#tell({ call: "background", name }, text);
  }

  cellEnds(result: ExecutionResult): void | Promise<void> {
    return this.#tell({ call: "cellEnds", result: sentResult(result) });
  }

  async note(sentence: string): Promise<void> {
    await this.#tell({ call: "note", sentence });
  }

  async runEnds(): Promise<void> {}
}

/** As much of one value as a JSON document may have. */
const mostBytes = 64_000_000;

/** Files of the hub's process cannot be sent; the text says where their content is kept. */
function withoutFiles(event: KernelEvent): KernelEvent {
  if (!("large" in event)) return event;
  const { large: _, ...rest } = event;
  return rest as KernelEvent;
}
