import type { JsonObject, JsonValue } from "../../../support/json/value.ts";
import type { Completeness, Completion, MatchDetail } from "../../kernel.ts";
import { toUnits } from "../../positions.ts";
import { countOf, objectOf, stringOf } from "./to-event.ts";

/** A `complete_reply`; without positions it concerns the cursor. Both count code points. */
export function toCompletion(reply: JsonObject, code: string, cursor: number): Completion {
  const matches = Array.isArray(reply.matches) ? reply.matches.map(stringOf) : [];
  const details = toDetails(objectOf(reply.metadata)._jupyter_types_experimental, matches);
  return {
    matches,
    start: toUnits(code, countOf(reply.cursor_start) ?? cursor),
    end: toUnits(code, countOf(reply.cursor_end) ?? cursor),
    ...(details === null ? {} : { details }),
  };
}

/** An `is_complete_reply`. */
export function toCompleteness({ status, indent }: JsonObject): Completeness {
  if (status === "incomplete") return { status, indent: stringOf(indent) };
  return { status: status === "complete" || status === "invalid" ? status : "unknown" };
}

/** ipykernel sends types beside the matches. In other kernels the list may be missing, shorter, or in another order. */
function toDetails(told: JsonValue | undefined, matches: readonly string[]): readonly MatchDetail[] | null {
  if (!Array.isArray(told) || matches.length === 0) return null;
  const byText = new Map(told.map(objectOf).map((one) => [stringOf(one.text), toDetail(one)]));
  return matches.map((match) => byText.get(match) ?? { kind: "" });
}

function toDetail(told: JsonObject): MatchDetail {
  const kind = stringOf(told.type);
  const signature = stringOf(told.signature);
  return { kind: kind === "<unknown>" ? "" : kind, ...(signature === "" ? {} : { signature }) };
}
