import { createHash } from "node:crypto";

/** An artifact's id is `<session label>-<number>`: safe in a shell, in an address and as a file name. */
export function artifactId(label: string, number: number): string {
  return `${label}-${number}`;
}

/** `artifact://<id>`, as results name it. */
export function artifactAddress(id: string): string {
  return `${scheme}${id}`;
}

/** The id in `artifact://<id>` or in a bare `<id>`; null for anything else. */
export function parseArtifactAddress(text: string): string | null {
  const id = text.startsWith(scheme) ? text.slice(scheme.length) : text;
  return parseArtifactId(id) === null ? null : id;
}

export function parseArtifactId(id: string): { readonly label: string; readonly number: number } | null {
  const match = idPattern.exec(id);
  return match === null ? null : { label: match[1] ?? "", number: Number(match[2]) };
}

/**
 * A session's name in ids. A plain name stays as it is. Any other is reduced to its readable characters,
 * followed by a dot, which no plain name has, and a hash of the whole name: no two sessions share a label.
 */
export function sessionLabel(session: string): string {
  if (plainName.test(session)) return session;
  // Not as UTF-8, which maps all lone surrogates to the same bytes.
  const hash = createHash("sha256").update(Buffer.from(session, "utf16le")).digest("hex").slice(0, 16);
  return `${readablePart(session)}.${hash}`;
}

export function isSessionLabel(text: string): boolean {
  return labelPattern.test(text);
}

const scheme = "artifact://";

// Without capitals, because on some file systems `A` and `a` are one folder.
const plainName = /^[a-z0-9](?:[a-z0-9_-]{0,46}[a-z0-9])?$/;
const label = "[a-z0-9](?:[a-z0-9_-]{0,46}[a-z0-9])?(?:\\.[0-9a-f]{16})?";
const labelPattern = new RegExp(`^${label}$`);
const idPattern = new RegExp(`^(${label})-([1-9][0-9]{0,11})$`);

function readablePart(session: string): string {
  const words =
    session
      .slice(0, 200)
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, 24).replace(/-$/, "") || "session";
}
