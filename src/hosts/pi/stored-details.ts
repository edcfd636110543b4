import type { ShownPart } from "../../output/capture.ts";
import type { CellDetails, CodeDetails } from "../../tools/definition/details.ts";
import type { PiContent } from "./pi-api.ts";

/**
 * pi writes details into the conversation file, and the content has the pictures already: they are removed
 * from the details and restored when shown.
 */
export function withoutPixels(details: object | null): object | null {
  if (!hasCells(details)) return details;
  return withParts(details, (part) => (part.type === "image" ? { ...part, base64: "" } : part));
}

/** As many as the content has; a picture that did not fit the content stays missing. */
export function withPixels(details: object | null, content: readonly PiContent[]): object | null {
  if (!hasCells(details)) return details;
  const pictures = content.flatMap((part) => (part.type === "image" ? [part.data] : []));
  return withParts(details, (part) => (part.type === "image" ? { ...part, base64: pictures.shift() ?? "" } : part));
}

function hasCells(details: object | null): details is CodeDetails {
  return details !== null && "cells" in details && Array.isArray(details.cells);
}

function withParts(details: CodeDetails, change: (part: ShownPart) => ShownPart): CodeDetails {
  const cells = details.cells.map((cell): CellDetails => ({ ...cell, parts: cell.parts.map(change) }));
  return { ...details, cells };
}
