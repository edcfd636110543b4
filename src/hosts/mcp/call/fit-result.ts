import { headWithin, tailWithin } from "../../../output/text/utf8-cut.ts";
import { sayCount } from "../../../support/say-count.ts";
import { fitPictures } from "../../../tools/code/fit-pictures.ts";
import { sharesOf } from "../../../tools/code/text-shares.ts";
import type { ToolContent, ToolResult } from "../../../tools/definition/tool.ts";
import type { AgentContext } from "../agent-context.ts";

type Text = Extract<ToolContent, { type: "text" }>;
type Picture = Extract<ToolContent, { type: "image" }>;
type Keep = AgentContext["keep"];
type Fitting = Pick<ToolResult, "content" | "structured">;

/**
 * The outer limit of every result. Granary's tools size their texts by the same limit; this cuts the results of other
 * tools: scales pictures down or links to them, and cuts the middle of long texts and of structured content.
 */
export async function fitResult(
  result: Fitting,
  { keep, resultBytes }: Pick<AgentContext, "keep" | "resultBytes">,
): Promise<Fitting> {
  const structured = fitStructured(result.structured, resultBytes / 3);
  const room = resultBytes - bytesOf(structured);
  if (weigh(result.content) <= room) return { content: result.content, structured };
  const content = await fitContent(result.content, room, keep);
  return { structured, content: weigh(content) <= room ? content : await onlyText(result.content, room, keep) };
}

async function fitContent(content: readonly ToolContent[], room: number, keep: Keep): Promise<readonly ToolContent[]> {
  const pictures = content.filter((part) => part.type === "image");
  const texts = content.filter((part) => part.type === "text");
  const fixed = weigh(content) - weigh(pictures) - weigh(texts);
  // Text matters more than pictures, but leave some room for the pictures.
  const forTexts = room - fixed - Math.min(weigh(pictures), room / 2);
  const cutTexts = await cutEvenly(texts, forTexts, keep);
  const forPictures = room - fixed - weigh([...cutTexts.values()].flat());
  const fittedPictures = await attachedWithin(pictures, forPictures, keep);
  return content.flatMap((part) => {
    if (part.type === "text") return cutTexts.get(part) ?? part;
    return part.type === "image" ? (fittedPictures.get(part) ?? part) : part;
  });
}

/** For a result of hundreds of parts, where what stands for each would be too much: one text, with the addresses. */
function onlyText(content: readonly ToolContent[], room: number, keep: Keep): Promise<readonly ToolContent[]> {
  const lines = content.map((part) => {
    if (part.type === "text") return part.text;
    return part.type === "link" ? `[${part.name}: ${part.uri}]` : `[${part.mimeType} left out]`;
  });
  return cut({ type: "text", text: lines.join("\n") }, room, keep);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/** Members that are too long: texts lose their end, and others are left out. `content` says the same and where there is more. */
function fitStructured(structured: Fitting["structured"], most: number): Fitting["structured"] {
  if (bytesOf(structured) <= most) return structured;
  const members = Object.entries(structured);
  const share = most / members.length - 50;
  const short = members.flatMap(([key, value]) => {
    if (bytesOf({ [key]: value }) <= share) return [[key, value]];
    return typeof value === "string" && share > 0 ? [[key, `${shortened(value, share - bytesOf(key))}…`]] : [];
  });
  return Object.fromEntries(short);
}

/** As JSON, where a character may take six bytes. */
function shortened(text: string, most: number): string {
  let short = headWithin(text, Math.max(0, Math.floor(most)));
  while (short !== "" && bytesOf(short) > most) short = headWithin(short, short.length >> 1);
  return short;
}

function weigh(content: readonly ToolContent[]): number {
  return content.reduce((total, part) => total + weight(part), 0);
}

/** The size as clients count it. */
function weight(part: ToolContent): number {
  switch (part.type) {
    case "text":
      return Buffer.byteLength(part.text);
    case "image":
      return part.base64.length;
    case "link":
      return Buffer.byteLength(part.uri + part.name) + 60;
    default:
      return part satisfies never;
  }
}

type Fitted<Part> = ReadonlyMap<Part, readonly ToolContent[]>;

/** Short texts stay whole and leave their unused share to the long ones. */
async function cutEvenly(texts: readonly Text[], budget: number, keep: Keep): Promise<Fitted<Text>> {
  const fitted = new Map<Text, readonly ToolContent[]>();
  for (const [text, share] of shares(texts, budget)) {
    fitted.set(text, weight(text) <= share ? [text] : await cut(text, share, keep));
  }
  return fitted;
}

/** Room for the notice and the link that replace the missing part. */
const noticeBytes = 400;

async function cut({ text }: Text, bytes: number, keep: Keep): Promise<readonly ToolContent[]> {
  const address = await keep(text, "text/plain");
  const room = Math.max(0, bytes - noticeBytes);
  const head = headWithin(text, Math.round(room * 0.4));
  const tail = tailWithin(text, Math.round(room * 0.6));
  const missing = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail);
  const where = address === null ? "and could not be kept" : `all of it: ${address}`;
  const notice = `\n… ${sayCount(missing, "byte")} left out, because clients refuse longer results; ${where} …\n`;
  return [{ type: "text", text: `${head}${notice}${tail}` }, ...linkTo(address, "text/plain")];
}

/** A picture with fewer pixels is useless. */
const fewestPixels = 30_000;

/** The first pictures, as many as fit, scaled down where needed. */
async function attachedWithin(pictures: readonly Picture[], budget: number, keep: Keep): Promise<Fitted<Picture>> {
  const contents = pictures.map(({ base64 }) => base64);
  const fits = await fitPictures(contents, budget, { leftOutBytes: noticeBytes, fewestPixels });
  const fitted = new Map<Picture, readonly ToolContent[]>();
  for (const [index, picture] of pictures.entries()) {
    const fit = fits[index] ?? null;
    if (fit === null) fitted.set(picture, await leaveOut(picture, keep));
    else if (fit !== "whole") fitted.set(picture, [{ type: "image", base64: fit.base64, mimeType: fit.mimeType }]);
  }
  return fitted;
}

async function leaveOut({ base64, mimeType }: Picture, keep: Keep): Promise<readonly ToolContent[]> {
  const address = await keep(Buffer.from(base64, "base64"), mimeType);
  const where = address === null ? "and could not be kept" : `it is ${address}`;
  const text = `[${mimeType} left out, because clients refuse results that are so large; ${where}]`;
  return [{ type: "text", text }, ...linkTo(address, mimeType)];
}

function linkTo(uri: string | null, mimeType: string): readonly ToolContent[] {
  return uri === null ? [] : [{ type: "link", uri, name: uri.replace(/^artifact:\/\//, ""), mimeType }];
}

/** Each part with its share of the budget. */
function shares<Part extends ToolContent>(parts: readonly Part[], budget: number): readonly [Part, number][] {
  const sizes = sharesOf(parts.map(weight), Math.max(0, budget));
  return parts.map((part, index) => [part, sizes[index] ?? 0]);
}
