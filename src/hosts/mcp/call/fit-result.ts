import { headWithin, tailWithin } from "../../../output/text/utf8-cut.ts";
import { sayCount } from "../../../support/say-count.ts";
import { fitPictures, resultBytes } from "../../../tools/code/fit-pictures.ts";
import { sharesOf } from "../../../tools/code/text-shares.ts";
import type { ToolContent } from "../../../tools/definition/tool.ts";
import type { AgentContext } from "../agent-context.ts";

export interface FitOptions extends Pick<AgentContext, "keep"> {
  /** Bytes that the result needs besides its content. */
  readonly reserved?: number;
  readonly signal?: AbortSignal | undefined;
}

type Text = Extract<ToolContent, { type: "text" }>;
type Picture = Extract<ToolContent, { type: "image" }>;

/** Makes a result small enough for clients: scales pictures down or links to them, and cuts the middle of long texts. */
export async function fitResult(content: readonly ToolContent[], options: FitOptions): Promise<readonly ToolContent[]> {
  const { keep, reserved = 0 } = options;
  const total = reserved + sum(content.map(weight));
  if (total <= resultBytes) return content;
  const pictures = content.filter((part) => part.type === "image");
  const texts = content.filter((part) => part.type === "text");
  const fixed = total - sum(pictures.map(weight)) - sum(texts.map(weight));
  // Text matters more than pictures, but leave some room for the pictures.
  const forTexts = resultBytes - fixed - Math.min(sum(pictures.map(weight)), resultBytes / 2);
  const cutTexts = await cutEvenly(texts, forTexts, keep);
  const forPictures = resultBytes - fixed - sum([...cutTexts.values()].flat().map(weight));
  const fittedPictures = await attachedWithin(pictures, forPictures, options);
  return content.flatMap((part) => {
    if (part.type === "text") return cutTexts.get(part) ?? part;
    return part.type === "image" ? (fittedPictures.get(part) ?? part) : part;
  });
}

/** The size as clients count it. */
function weight(part: ToolContent): number {
  switch (part.type) {
    case "text":
      return Buffer.byteLength(part.text);
    case "image":
      return part.base64.length;
    case "link":
      return part.uri.length + part.name.length + 60;
    default:
      return part satisfies never;
  }
}

type Fitted<Part> = ReadonlyMap<Part, readonly ToolContent[]>;

/** Short texts stay whole and leave their unused share to the long ones. */
async function cutEvenly(texts: readonly Text[], budget: number, keep: AgentContext["keep"]): Promise<Fitted<Text>> {
  const fitted = new Map<Text, readonly ToolContent[]>();
  for (const [text, share] of shares(texts, budget)) {
    fitted.set(text, weight(text) <= share ? [text] : await cut(text, share, keep));
  }
  return fitted;
}

/** Room for the notice and the link that replace the missing part. */
const noticeBytes = 400;

async function cut({ text }: Text, bytes: number, keep: AgentContext["keep"]): Promise<readonly ToolContent[]> {
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
async function attachedWithin(
  pictures: readonly Picture[],
  budget: number,
  { keep, signal }: FitOptions,
): Promise<Fitted<Picture>> {
  const contents = pictures.map(({ base64 }) => base64);
  const fits = await fitPictures(contents, budget, { leftOutBytes: noticeBytes, fewestPixels, signal });
  const fitted = new Map<Picture, readonly ToolContent[]>();
  for (const [index, picture] of pictures.entries()) {
    const fit = fits[index] ?? null;
    if (fit === null) fitted.set(picture, await leaveOut(picture, keep));
    else if (fit !== "whole") fitted.set(picture, [{ type: "image", base64: fit.base64, mimeType: fit.mimeType }]);
  }
  return fitted;
}

async function leaveOut({ base64, mimeType }: Picture, keep: AgentContext["keep"]): Promise<readonly ToolContent[]> {
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
