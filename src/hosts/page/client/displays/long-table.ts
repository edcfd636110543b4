/** Tables with more rows are cut before they are read: a browser takes seconds for 100,000. */
const mostRows = 5000;
const keptRows = 1000;

/** HTML with one long table, cut after its first rows; null for other HTML. */
export function cutTable(source: string): { readonly html: string; readonly note: string } | null {
  const rows = source.split(/<\/tr\s*>/i).length - 1;
  if (rows <= mostRows || source.split(/<table\b/i).length !== 2) return null;
  let end = 0;
  const rowEnd = /<\/tr\s*>/gi;
  for (let row = 0; row < keptRows && rowEnd.exec(source) !== null; row++) end = rowEnd.lastIndex;
  const note = `The first ${keptRows.toLocaleString("en")} of ${rows.toLocaleString("en")} rows. Variables shows all rows of a data frame.`;
  return { html: `${source.slice(0, end)}</tbody></table>`, note };
}
