/** A size for people: `812 bytes`, `45 KB`, `1.2 MB`. */
export function sayBytes(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < 999_500) return `${(bytes / 1000).toFixed(bytes < 9950 ? 1 : 0)} KB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 9_950_000 ? 1 : 0)} MB`;
}
