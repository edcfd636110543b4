import { beforeAll, describe, expect, test } from "vitest";
import { htmlToMarkdown } from "../../../src/output/html/html-to-markdown.ts";
import { samples, withoutPackages } from "../python-samples.ts";

describe.skipIf(withoutPackages)("what pandas sends is a Markdown table", () => {
  let html: Record<string, string>;
  beforeAll(() => {
    html = samples("html/html_samples.py");
  });
  const markdown = (name: string) => htmlToMarkdown(html[name] ?? "").markdown;

  test("a frame with any content", () => {
    expect(markdown("frame")).toBe(
      [
        "|  | user_id | a\\|b | note |",
        "| --- | --- | --- | --- |",
        "| 0 | 1 | x\\|y | &lt;b> |",
        "| 1 | 2 | \\*starred\\* | one\\ntwo |",
      ].join("\n"),
    );
  });

  test("a named index shares the heading with the columns", () => {
    expect(markdown("indexed").split("\n")[0]).toBe("| user_id | note |");
  });

  test("levels of columns become one heading, levels of rows are repeated in every row", () => {
    const table = [
      "| outer | inner | price / mean | price / max | count |",
      "| --- | --- | --- | --- | --- |",
      "| a | x | 1 | 2 | 3 |",
      "| a | y | 4 | 5 | 6 |",
      "| b | x | 7 | 8 | 9 |",
      "| b | y | 10 | 11 | 12 |",
    ].join("\n");
    expect(markdown("multi")).toBe(table);
    expect(markdown("styler")).toBe(`Prices\n\n${table}`);
  });

  test("a long one is cut, and says how long it was", () => {
    const { markdown, complete } = htmlToMarkdown(html.long ?? "");
    expect(markdown.split("\n").filter((line) => line.startsWith("| ")).length).toBe(62);
    expect(markdown).toContain("(showing 60 of 1,000 rows)");
    expect(complete).toBe(false);
  });

  test("a wide one is cut, and says how wide it was", () => {
    expect(markdown("wide")).toContain("| 23 |\n");
    expect(markdown("wide")).toContain("(showing 24 of 100 columns)");
  });

  test("pandas' own text below the table stays", () => {
    expect(markdown("truncated")).toContain("1000 rows × 1 columns");
  });
});
