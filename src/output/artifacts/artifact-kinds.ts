/** File endings of artifacts, and whether their content is text. */
const isText = {
  txt: true,
  md: true,
  html: true,
  json: true,
  svg: true,
  tex: true,
  js: true,
  png: false,
  jpg: false,
  gif: false,
  webp: false,
  pdf: false,
  bin: false,
} as const;

export type ArtifactEnding = keyof typeof isText;

const endings: Readonly<Record<string, ArtifactEnding>> = {
  "text/plain": "txt",
  "text/markdown": "md",
  "text/html": "html",
  "text/latex": "tex",
  "application/json": "json",
  "application/javascript": "js",
  "application/pdf": "pdf",
  "image/svg+xml": "svg",
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

/** The file ending for content of a MIME type. */
export function endingFor(mimeType: string): ArtifactEnding {
  const known = Object.hasOwn(endings, mimeType) ? endings[mimeType] : undefined;
  if (known !== undefined) return known;
  if (mimeType.endsWith("+json")) return "json";
  return mimeType.startsWith("text/") ? "txt" : "bin";
}

/** Whether an artifact has lines. A file with an unknown ending may contain anything. */
export function isTextEnding(ending: string): boolean {
  return Object.hasOwn(isText, ending) && isText[ending as ArtifactEnding];
}

/** The MIME type that hosts report for this ending. */
export function mimeTypeOf(ending: string): string {
  const found = Object.entries(endings).find(([, known]) => known === ending);
  return found?.[0] ?? "application/octet-stream";
}
