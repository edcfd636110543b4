import type { Box, CellBox, ItemBox, PageBox, PreBox, TableBox } from "./boxes.ts";
import { codeBlock, codeSpan } from "./escape-markdown.ts";
import { type InlineText, indentedLines, MarkdownFlow } from "./markdown-flow.ts";

/** The open boxes, the innermost last. The first is always the page. */
export class OpenBoxes {
  readonly #page: PageBox = { kind: "page", name: "", flow: new MarkdownFlow() };
  readonly #boxes: Box[] = [this.#page];
  #hiddenCells = 0;
  /** False once a table has omitted content. */
  tablesComplete = true;

  get innermost(): Box {
    return this.#boxes.at(-1) ?? this.#page;
  }

  get depth(): number {
    return this.#boxes.length;
  }

  /** True inside a hidden cell. */
  get isHidden(): boolean {
    return this.#hiddenCells > 0;
  }

  /** The box that collects text. */
  get inline(): InlineText {
    const box = this.innermost;
    return box.kind === "span" ? box.inline : this.flow.inline;
  }

  /** The box that collects blocks. Tables and rows hold no text, so stray text goes to the box around them. */
  get flow(): MarkdownFlow {
    const box = this.find((each) => "flow" in each);
    return box && "flow" in box ? box.flow : this.#page.flow;
  }

  /** The nearest box of a kind, but not beyond one of the kinds in `within`. */
  nearest<Kind extends Box["kind"]>(
    kind: Kind,
    within: readonly Box["kind"][] = [],
  ): Extract<Box, { kind: Kind }> | null {
    return this.find((box) => box.kind === kind, within) as Extract<Box, { kind: Kind }> | null;
  }

  find(isMeant: (box: Box) => boolean, within: readonly Box["kind"][] = []): Box | null {
    for (let i = this.#boxes.length - 1; i > 0; i--) {
      const box = this.#boxes[i] as Box;
      if (isMeant(box)) return box;
      if (within.includes(box.kind)) return null;
    }
    return null;
  }

  push(box: Box): void {
    this.#boxes.push(box);
    if (box.kind === "cell" && box.hidden) this.#hiddenCells++;
  }

  /** Content of a list outside its items becomes an item without a mark, so that it stays in its place. */
  enterList(): void {
    if (this.innermost.kind !== "list") return;
    this.push({ kind: "item", name: "li", flow: new MarkdownFlow(), isStray: true });
  }

  /** Closes the nearest box with one of these names, if any, and all boxes inside it. */
  close(names: readonly string[], within: readonly Box["kind"][]): void {
    const box = this.find((open) => names.includes(open.name), within);
    if (box === null) return;
    this.closeInside(box);
    this.#closeInnermost();
  }

  closeInside(box: Box): void {
    while (this.innermost !== box && this.depth > 1) this.#closeInnermost();
  }

  closeSpans(): void {
    while (this.innermost.kind === "span") this.#closeInnermost();
  }

  /** Closes everything and returns the Markdown of the page. */
  finish(): string {
    this.closeInside(this.#page);
    return this.#page.flow.finish();
  }

  #closeInnermost(): void {
    const box = this.#boxes.pop() as Box;
    switch (box.kind) {
      case "page":
        return;
      case "span":
        return this.inline.add(box.wrap(box.inline.take()));
      case "block":
        return box.end(box.flow.finish(), this.flow);
      case "pre":
        return this.#endPre(box);
      case "list":
        return this.flow.block(box.items.join("\n"), this.innermost.kind === "item" ? 1 : 2);
      case "item":
        return this.#endItem(box);
      case "table":
        return this.#endTable(box);
      case "row": {
        const table = this.nearest("table");
        return table?.grid.addRow(box.cells, table.inHead);
      }
      case "cell":
        return this.#endCell(box);
      default:
        return box satisfies never;
    }
  }

  /** A table's cell cannot contain a fence, but code between backticks. */
  #endPre({ pieces, language }: PreBox): void {
    const code = pieces
      .join("")
      .replace(/^\r?\n/, "")
      .trimEnd();
    if (code === "") return;
    const isInCell = this.nearest("cell") !== null;
    const lineByLine = () => code.split("\n").map((line) => (line.trim() === "" ? "" : codeSpan(line)));
    this.flow.block(isInCell ? lineByLine().join("\n") : codeBlock(code, language), 2);
  }

  #endItem({ flow, isStray }: ItemBox): void {
    const markdown = flow.finish();
    if (isStray && markdown === "") return;
    const list = this.nearest("list", ["cell"]);
    const marker = isStray ? "  " : list === null || list.number === null ? "- " : `${list.number++}. `;
    const item = indentedLines(markdown, marker, " ".repeat(marker.length)).trimEnd();
    if (list) list.items.push(item);
    else this.flow.block(item, 1);
  }

  #endTable({ grid }: TableBox): void {
    this.tablesComplete &&= grid.isComplete;
    const markdown = grid.markdown();
    const cell = this.nearest("cell");
    if (cell && markdown !== "") cell.holdsTable = true;
    this.flow.block(markdown, 2);
  }

  #endCell({ flow, header, columns, rows, hidden, holdsTable }: CellBox): void {
    if (hidden) this.#hiddenCells--;
    this.nearest("row")?.cells.push({ markdown: flow.finish(), header, columns, rows, holdsTable });
  }
}
