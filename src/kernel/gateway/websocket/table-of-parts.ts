/** The table of offsets at the start of a binary message. */
export interface TableOfParts {
  /** The width of its numbers. */
  readonly entryBytes: number;
  read(view: DataView, at: number): number;
  write(view: DataView, at: number, value: number): void;
  /** Whether the table has one more entry than there are parts: the end of the last one. */
  readonly namesTheEnd: boolean;
}

/** The parts one after the other, after a table of their offsets. */
export function joinParts(table: TableOfParts, parts: readonly Uint8Array[]): Uint8Array {
  const entries = parts.length + (table.namesTheEnd ? 1 : 0);
  const start = table.entryBytes * (entries + 1);
  const total = parts.reduce((sum, part) => sum + part.byteLength, start);
  const joined = new Uint8Array(total);
  const view = new DataView(joined.buffer);
  table.write(view, 0, entries);
  let at = start;
  parts.forEach((part, index) => {
    table.write(view, table.entryBytes * (index + 1), at);
    joined.set(part, at);
    at += part.byteLength;
  });
  if (table.namesTheEnd) table.write(view, table.entryBytes * entries, at);
  return joined;
}

/** The parts, as views of the data. Throws when the table does not fit the data. */
export function splitParts(table: TableOfParts, data: Uint8Array): Uint8Array[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const entryAt = (index: number): number => {
    const at = table.entryBytes * index;
    if (at + table.entryBytes > data.byteLength) throw new Error("a message that is shorter than its table of parts");
    return table.read(view, at);
  };
  const entries = entryAt(0);
  // Checked before allocating a list: the number may be anything.
  if (table.entryBytes * (entries + 1) > data.byteLength) {
    throw new Error("a message that is shorter than its table of parts");
  }
  const edges = Array.from({ length: entries }, (_, index) => entryAt(index + 1));
  if (!table.namesTheEnd) edges.push(data.byteLength);
  return edges.slice(1).map((end, index) => {
    const begin = edges[index] as number;
    if (begin > end || end > data.byteLength) throw new Error("a message whose table of parts is wrong");
    return data.subarray(begin, end);
  });
}
