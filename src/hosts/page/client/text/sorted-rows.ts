/** Rows in the order of one column: as numbers where all of its values are numbers. Empty values come last. */
export function sortedRows<Row extends readonly string[]>(
  rows: readonly Row[],
  column: number,
  isDown: boolean,
): readonly Row[] {
  const keyed = rows.map((row) => ({ row, text: row[column] ?? "", number: numberOf(row[column] ?? "") }));
  const filled = keyed.filter(({ text }) => !isEmpty(text));
  const areNumbers = filled.every(({ number }) => number !== null);
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  filled.sort((one, other) => {
    const order = areNumbers ? (one.number ?? 0) - (other.number ?? 0) : compare(one.text, other.text);
    return isDown ? -order : order;
  });
  return [...filled, ...keyed.filter(({ text }) => isEmpty(text))].map(({ row }) => row);
}

function isEmpty(text: string): boolean {
  return /^(?:|nan|none|nat|null|<na>|\.\.\.|…)$/i.test(text.trim());
}

/** `1,234.5`, `12 %`, `-3e4`, `inf` */
function numberOf(text: string): number | null {
  const plain = text.trim().replaceAll(",", "").replace(/ ?%$/, "");
  if (/^[+-]?inf(?:inity)?$/i.test(plain)) return plain.startsWith("-") ? -Infinity : Infinity;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null;
}
