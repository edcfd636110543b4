import type { KernelEvent, StreamName } from "../../../kernel/events.ts";
import type { ShownDisplay } from "../../../output/output-part.ts";
import type { ExecutionResult } from "../../../session/execution/execution.ts";
import type { Settings } from "../../../settings/settings.ts";
import type { Report } from "../report/report.ts";

/** A call of a `Report` on its way from the hub to the client. Printed text travels as the frame's body. */
export type SentReport =
  | { readonly call: "runBegins"; readonly console: Settings["console"] }
  | { readonly call: "cellBegins" | "personIsAsked" }
  | { readonly call: "print" | "background"; readonly name: StreamName }
  | { readonly call: "take"; readonly event: KernelEvent; readonly text?: string; readonly shown?: ShownDisplay }
  | { readonly call: "cellEnds"; readonly result: ExecutionResult }
  | { readonly call: "note"; readonly sentence: string };

/** On the client: repeats a call that the hub sent. */
export function replay(report: Report, sent: SentReport, body: Buffer | null): void | Promise<void> {
  switch (sent.call) {
    case "runBegins":
      return report.runBegins({ console: sent.console } as Settings);
    case "cellBegins":
      return report.cellBegins();
    case "personIsAsked":
      return report.personIsAsked();
    case "print":
      return report.take({ type: "stream", name: sent.name, text: body?.toString("utf8") ?? "" }, undefined, undefined);
    case "background":
      return report.background(body?.toString("utf8") ?? "", sent.name);
    case "take":
      return report.take(sent.event, sent.text, sent.shown);
    case "cellEnds":
      return report.cellEnds(sent.result);
    case "note":
      return report.note(sent.sentence);
  }
}
