import { type PictureHeader, pictureHeader } from "../../output/pictures/picture-header.ts";

export type FileKind =
  | { readonly kind: "text" }
  | { readonly kind: "picture"; readonly header: PictureHeader }
  /** `what` completes the sentence "it is …". */
  | { readonly kind: "binary"; readonly what: string };

/** The kind of a file, by its first bytes. */
export function fileKind(beginning: Buffer): FileKind {
  const header = pictureHeader(beginning);
  if (header !== null) return { kind: "picture", header };
  const known = signatures.find(([signature]) => beginning.toString("latin1", 0, signature.length) === signature);
  if (known !== undefined) return { kind: "binary", what: known[1] };
  return beginning.includes(0) ? { kind: "binary", what: "a binary file" } : { kind: "text" };
}

const signatures: readonly (readonly [string, string])[] = [
  ["%PDF-", "a PDF document"],
  ["PK\x03\x04", "a ZIP archive, or a document made of one, such as .xlsx or .docx"],
  ["\x1f\x8b", "compressed with gzip"],
  ["BZh", "compressed with bzip2"],
  ["\xfd7zXZ\x00", "compressed with xz"],
  ["\x28\xb5\x2f\xfd", "compressed with zstd"],
  ["\x7fELF", "a compiled program"],
  ["SQLite format 3\x00", "an SQLite database"],
  ["PAR1", "a Parquet file"],
  ["\x89HDF", "an HDF5 file"],
  ["\x93NUMPY", "a NumPy array"],
  ["\xff\xfe", "text in UTF-16"],
  ["\xfe\xff", "text in UTF-16"],
];
