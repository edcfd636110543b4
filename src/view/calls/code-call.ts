import { sayCount } from "../../support/say-count.ts";
import { renderCode } from "../lines/code-lines.ts";
import { previewLines } from "../lines/preview-lines.ts";
import { clamp } from "../text/fit.ts";
import { oneLine } from "../text/printable.ts";
import type { ViewOptions } from "../view-options.ts";
import { callLine } from "./call-line.ts";
import { isTrueIn, listIn, numberIn, textIn } from "./input-fields.ts";

/** `python` and `eval`: the cells, until a result shows them. */
export function renderCodeCall(tool: string, input: unknown, options: ViewOptions): readonly string[] {
  const cells = listIn(input, "cells");
  const title = cells.length === 1 ? (textIn(cells[0], "title") ?? "") : "";
  const timeout = numberIn(input, "timeout");
  const facts = [
    cells.length > 1 ? sayCount(cells.length, "cell") : null,
    isTrueIn(input, "reset") ? "reset" : null,
    isTrueIn(input, "background") ? "background" : null,
    timeout === null ? null : `timeout ${timeout} s`,
    named("session", textIn(input, "session")),
    named("kernel", textIn(input, "kernel")),
    named("cwd", textIn(input, "cwd")),
  ];
  const head = callLine(tool, title, facts, options);
  return options.answered ? head : [...head, ...cells.flatMap((cell) => cellLines(cell, cells.length > 1, options))];
}

export const named = (name: string, value: string | null): string | null =>
  value === null ? null : `${name} ${value}`;

function cellLines(cell: unknown, isOneOfMany: boolean, options: ViewOptions): readonly string[] {
  const language = textIn(cell, "language") ?? "python";
  const title = textIn(cell, "title");
  const name = title ?? (language === "python" || language === "py" ? "" : language);
  const facts = [oneLine(name), isTrueIn(cell, "reset") ? "reset" : ""].filter((fact) => fact !== "").join(" · ");
  const head = isOneOfMany ? [clamp(options.theme.title(facts === "" ? "cell" : facts), options.width)] : [];
  return [...head, ...renderCode(textIn(cell, "code") ?? "", language, { ...options, previewLines })];
}
