import { barOf, sayBar } from "../../../../output/progress-bar.ts";
import type { BundleOutput, Json } from "../../api/cells.ts";
import { html } from "../html.ts";

const type = "application/x-granary-status";

/** The status that Granary's own `progress()` reports; null for other displays. */
export function statusIn({ data }: BundleOutput): Readonly<Record<string, Json>> | null {
  const status = data[type];
  return typeof status === "object" && status !== null && !Array.isArray(status)
    ? (status as Record<string, Json>)
    : null;
}

/** A bar with the time that is left. An ended one leaves a line. */
export function ProgressView({ status }: { readonly status: Readonly<Record<string, Json>> }) {
  const event = { op: "", ...status } as Parameters<typeof barOf>[0];
  const bar = barOf(event);
  if (bar !== null) {
    return html`
      <label class="progress">
        <span>${sayBar(bar)}</span>
        <progress max=${bar.total ?? undefined} value=${bar.total === null ? undefined : bar.done}></progress>
      </label>`;
  }
  if (status.op !== "progress") return null;
  const { title, done, total, state } = status;
  const count = typeof total === "number" ? `${String(done)} of ${total}` : String(done ?? "");
  return html`<p class="progress-ended">${title ? `${String(title)}: ` : ""}${count}, ${String(state ?? "ended")}</p>`;
}
