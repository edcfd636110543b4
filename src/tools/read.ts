import { stat } from "node:fs/promises";
import { z } from "zod";
import { isTextEnding, mimeTypeOf } from "../output/artifacts/artifact-kinds.ts";
import { findArtifact } from "../output/artifacts/read/find-artifact.ts";
import { GranaryError } from "../support/granary-error.ts";
import { textBytes } from "./code/result-budget.ts";
import type { ToolContext } from "./context/tool-context.ts";
import { defineTool } from "./definition/define-tool.ts";
import type { ReadDetails } from "./definition/details.ts";
import type { Tool, ToolContent, ToolResult } from "./definition/tool.ts";
import { fileKind } from "./files/file-kind.ts";
import { findTarget } from "./files/find-target.ts";
import { listFolder, sayMore } from "./files/list-folder.ts";
import type { NamedFile } from "./files/named-file.ts";
import { type OpenFile, openFile } from "./files/open-file.ts";
import { explainUnread } from "./files/readable-by-cells.ts";
import { parseArtifactTarget, type Target } from "./files/target.ts";
import { type LineSource, shownLines } from "./files/text/shown-lines.ts";
import type { LineBudget } from "./files/text/take-lines.ts";

/** Files, folders, notebooks, pictures and artifacts. */
export function createReadTool(context: ToolContext): Tool<ReadDetails> {
  return defineTool({
    name: "read",
    title: "Read a file",
    description,
    input: z.strictObject({
      path: z.string().min(1, "expected a path"),
      outputs: z.number().int().min(0).optional().describe("of a notebook: characters to show per cell's output"),
    }),
    output: z.object({
      path: z.string(),
      form: z.string(),
      firstLine: z.number().optional(),
      lastLine: z.number().optional(),
      totalLines: z.number().optional(),
    }),
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    run({ path, outputs = 0 }, { signal }) {
      const reading = new Reading(context, outputs, signal);
      return path.startsWith("artifact://") ? reading.artifact(parseArtifactTarget(path)) : reading.named(path);
    },
  });
}

const description = `Reads a file, or lists a folder. A part of it: "big.log:100-200", "a.py:1-20,80-", the last ten lines: "big.log:-10". \
A notebook comes as text that edit and write take back, cell after cell; "a.ipynb:raw" is its JSON. PNG and JPEG come as pictures.

{"path": "src/app.py"} {"path": "artifact://main-3:1-200"}`;

class Reading {
  readonly #context: ToolContext;
  readonly #outputs: number;
  readonly #signal: AbortSignal | undefined;

  constructor(context: ToolContext, outputs: number, signal: AbortSignal | undefined) {
    this.#context = context;
    this.#outputs = outputs;
    this.#signal = signal;
  }

  async named(named: string): Promise<ToolResult<ReadDetails>> {
    const { place, isNotebook, ...target } = await findTarget(this.#context, named).catch(async (error: unknown) => {
      throw await explainUnread(error, this.#context, named);
    });
    const found = await stat(place.real).catch(() => null);
    if (found?.isDirectory()) return this.#folder(place);
    return isNotebook ? this.#notebook(place, target) : this.#file(place, target);
  }

  async artifact({ path: address, ranges }: Target): Promise<ToolResult<ReadDetails>> {
    const { runtime, ownArtifactsOnly } = this.#context;
    const artifact = await findArtifact(runtime.artifactRoot, address, ownArtifactsOnly ? runtime.ownArtifacts : null);
    // The store is outside of the folders that tools may be limited to; the artifact's owner has been checked.
    const place = { path: address, real: artifact.path, within: null };
    await using file = await openFile(place);
    const notes = { whole: "", growing: "still being written", unfinished: "incomplete: its writer crashed" };
    const kind = fileKind(file.beginning);
    if (kind.kind === "picture") return await this.#picture(place, kind, file);
    if (!isTextEnding(artifact.ending)) throw notText(artifact.path, `it is ${artifact.ending}`);
    const source = { name: address, chunks: () => file.chunks(this.#signal) };
    const result = await this.#lines(place, "artifact", source, ranges, notes[artifact.state]);
    const { details } = result;
    const isWhole = ranges === null && details?.truncation === null && artifact.state === "whole";
    // A part of JSON is not JSON.
    return isWhole && details ? { ...result, details: { ...details, mimeType: mimeTypeOf(artifact.ending) } } : result;
  }

  async #file(place: NamedFile, { path, ranges }: Target): Promise<ToolResult<ReadDetails>> {
    await using file = await openFile(place);
    const kind = fileKind(file.beginning);
    if (kind.kind === "picture") return await this.#picture(place, kind, file);
    if (kind.kind === "binary") throw notText(place.path, `it is ${kind.what}`);
    return await this.#lines(place, "text", { name: path, chunks: () => file.chunks(this.#signal) }, ranges);
  }

  async #notebook(place: NamedFile, { path, ranges }: Target): Promise<ToolResult<ReadDetails>> {
    const { readNotebookAt } = await import("./files/notebook-text.ts");
    const { cellText } = await import("../notebook/text/cell-text.ts");
    const notebook = await readNotebookAt(place, this.#signal);
    const text = Buffer.from(cellText(notebook, { outputCharacters: this.#outputs }));
    return await this.#lines(place, "cells", { name: path, chunks: () => once(text) }, ranges);
  }

  async #folder(place: NamedFile): Promise<ToolResult<ReadDetails>> {
    const listing = await listFolder(place);
    const { text, entries } = listing;
    const details = {
      path: place.path,
      form: "folder",
      text,
      firstLine: 1,
      totalLines: entries,
      truncation: null,
    } as const;
    const shown = entries === 0 ? "[an empty folder]" : `${text}${sayMore(listing)}`.trimEnd();
    return resultOf([{ type: "text", text: shown }], details);
  }

  async #picture(
    place: NamedFile,
    { header }: Extract<ReturnType<typeof fileKind>, { readonly kind: "picture" }>,
    file: OpenFile,
  ): Promise<ToolResult<ReadDetails>> {
    const { readPicture } = await import("./files/read-picture.ts");
    const content = await readPicture(place.path, header, file, this.#signal);
    const text = content[0]?.type === "text" ? content[0].text : "";
    return resultOf(content, {
      path: place.path,
      form: "picture",
      text,
      firstLine: 1,
      totalLines: null,
      truncation: null,
    });
  }

  async #lines(
    { path }: NamedFile,
    form: ReadDetails["form"],
    source: LineSource,
    ranges: Target["ranges"],
    note = "",
  ): Promise<ToolResult<ReadDetails>> {
    const { forModel, lastLine, ...lines } = await shownLines(source, ranges, this.#budget);
    const text = note === "" ? forModel : `${forModel.replace(/\n$/, "")}\n[${note}]`;
    return resultOf([{ type: "text", text }], { path, form, ...lines }, lastLine);
  }

  get #budget(): LineBudget {
    const { maxLines, maxLineBytes } = this.#context.runtime.settings.output;
    return { bytes: textBytes(this.#context), lines: maxLines, lineBytes: maxLineBytes };
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function resultOf(content: readonly ToolContent[], details: ReadDetails, lastLine?: number): ToolResult<ReadDetails> {
  const { path, form, firstLine, totalLines } = details;
  const lines = lastLine === undefined ? {} : { firstLine, lastLine, ...(totalLines !== null && { totalLines }) };
  return { content, isError: false, details, structured: { path, form, ...lines } };
}

function notText(path: string, why: string): GranaryError {
  return new GranaryError("binary", `${path} is not text: ${why}. Read it with Python or a command.`);
}
