import { memo } from "preact/compat";
import { useMemo, useRef } from "preact/hooks";
import type { TextOutput } from "../../api/cells.ts";
import { html } from "../html.ts";
import { StyledScreen, type StyledText } from "../text/styled-screen.ts";
import { plainStyle } from "../text/text-style.ts";

/** Lines of one block: while text streams in, only the last block is drawn again. */
const blockLines = 100;

/** Of a long text that still grows, so many characters of its end are drawn. */
const liveCharacters = 20_000;

/** Printed text, with its colours. */
export function TextView({ output, isLive = false }: { readonly output: TextOutput; readonly isLive?: boolean }) {
  return output.omitted === null
    ? html`<${WholeText} text=${output.text} />`
    : html`<${CutText} text=${output.text} omitted=${output.omitted} isLive=${isLive} />`;
}

/** Text that grows at its end: only what is new is read. */
function WholeText({ text }: { readonly text: string }) {
  const before = useRef<{ readonly text: string; readonly screen: StyledScreen } | null>(null);
  const known = before.current;
  const continues = known !== null && text.startsWith(known.text);
  const screen = continues ? known.screen : new StyledScreen();
  screen.write(continues ? text.slice(known.text.length) : text);
  before.current = { text, screen };
  return html`<${Lines} screen=${screen} />`;
}

interface CutTextProps {
  readonly text: string;
  readonly omitted: NonNullable<TextOutput["omitted"]>;
  readonly isLive: boolean;
}

/** The beginning, which stays as it is, and the end, which is another one with every change. */
function CutText({ text, omitted, isLive }: CutTextProps) {
  const { at, characters } = omitted;
  const beginning = text.slice(0, at);
  const drawn = useMemo(() => html`<${Lines} screen=${screenOf(beginning)} />`, [beginning]);
  const end = isLive ? endOf(text, Math.max(at, text.length - liveCharacters)) : text.slice(at);
  const hidden = characters + text.length - at - end.length;
  return html`
    ${drawn}
    <p class="omitted">${hidden.toLocaleString("en")} characters are not shown here.</p>
    <${Lines} screen=${screenOf(end)} />`;
}

/** From the next line on, where one begins soon. */
function endOf(text: string, from: number): string {
  const line = text.indexOf("\n", from - 1) + 1;
  return text.slice(line > 0 && line - from < 2000 ? line : from);
}

function screenOf(text: string): StyledScreen {
  const screen = new StyledScreen();
  screen.write(text);
  return screen;
}

function Lines({ screen }: { readonly screen: StyledScreen }) {
  const { rows } = screen;
  const shown = rows.at(-1)?.length === 0 ? rows.slice(0, -1) : rows;
  const blocks = Array.from({ length: Math.ceil(shown.length / blockLines) }, (_, index) =>
    mergedRuns(shown.slice(index * blockLines, (index + 1) * blockLines)),
  );
  return html`<pre class="printed">${blocks.map((runs, index) => html`<${Block} key=${index} runs=${runs} />`)}</pre>`;
}

const Block = memo(
  ({ runs }: { readonly runs: readonly StyledText[] }) =>
    html`<span class="block">${runs.map(({ text, style }) =>
      style === plainStyle
        ? text
        : html`<span class=${style.classes} style=${{ color: style.color ?? "", background: style.background ?? "" }}>${text}</span>`,
    )}</span>`,
  (one, other) => isSame(one.runs, other.runs),
);

function isSame(one: readonly StyledText[], other: readonly StyledText[]): boolean {
  if (one.length !== other.length) return false;
  return one.every(({ text, style }, index) => text === other[index]?.text && style === other[index]?.style);
}

/** Runs of the same style in one piece, with the ends of lines. */
function mergedRuns(rows: readonly (readonly StyledText[])[]): readonly StyledText[] {
  const runs: { text: string; readonly style: StyledText["style"] }[] = [];
  const add = (text: string, style: StyledText["style"]): void => {
    const last = runs.at(-1);
    if (last?.style === style) last.text += text;
    else runs.push({ text, style });
  };
  for (const row of rows) {
    for (const { text, style } of row) add(text, style);
    add("\n", plainStyle);
  }
  return runs;
}
