const cell = { width: 8.4, height: 19 };
const margin = 14;
export const paper = "#1e1e2e";
export const ink = "#cdd6f4";
export const font = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";

/** The 16 colours of terminals: black to white, then the bright ones. */
const named = [
  ...["#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#bac2de"],
  ...["#6c7086", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#cba6f7", "#94e2d5", "#ffffff"],
];

/**
 * The visible cells of a terminal as a picture made of text, which is small and can be searched.
 * @param {import("@xterm/headless").Terminal} terminal
 * @param {string} title a description for screen readers
 * @param {(text: string) => string} withoutPlaces removes paths of this machine
 */
export function svgOf(terminal, title, withoutPlaces) {
  const { width, height, drawn } = drawScreen(terminal, withoutPlaces);
  return picture({ width, height, title, content: drawn });
}

/**
 * What a terminal shows now, and its size in pixels; blank rows at the end do not count.
 * @param {import("@xterm/headless").Terminal} terminal
 * @param {(text: string) => string} withoutPlaces
 */
export function drawScreen(terminal, withoutPlaces) {
  const { active } = terminal.buffer;
  const rows = Array.from({ length: terminal.rows }, (_, row) => runsIn(active.getLine(active.baseY + row)));
  const used = rows.findLastIndex((runs) => runs.some(({ text, background }) => text.trim() !== "" || background)) + 1;
  const drawn = rows.slice(0, used).flatMap((runs, row) => runs.map((run) => draw(run, row, withoutPlaces)));
  return {
    width: Math.round(terminal.cols * cell.width + 2 * margin),
    height: Math.round(used * cell.height + 2 * margin),
    drawn: drawn.filter((line) => line !== "").join("\n"),
  };
}

/** @param {{ width: number, height: number, title: string, content: string }} parts */
function picture({ width, height, title, content }) {
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${title}</title>
<style>text{white-space:pre}</style>
<rect width="100%" height="100%" rx="8" fill="${paper}"/>
<g fill="${ink}" font-size="14" font-family="${font}">
${content}
</g>
</svg>
`;
}

/** @typedef {{ column: number, columns: number, text: string, colour: string, background: string | null, style: string }} Run */

/**
 * Joins neighbouring cells with the same style.
 * @param {import("@xterm/headless").IBufferLine | undefined} line
 * @returns {Run[]}
 */
function runsIn(line) {
  /** @type {Run[]} */
  const runs = [];
  for (let column = 0; line !== undefined && column < line.length; column++) {
    const at = line.getCell(column);
    if (at === undefined || at.getWidth() === 0) continue;
    const look = lookOf(at);
    const last = runs.at(-1);
    const text = at.getChars() || " ";
    const goesOn = last?.colour === look.colour && last.background === look.background && last.style === look.style;
    if (last !== undefined && goesOn && isBlock(last.text) === isBlock(text)) {
      last.text += text;
      last.columns += at.getWidth();
    } else {
      runs.push({ column, columns: at.getWidth(), text, ...look });
    }
  }
  return runs;
}

/** @param {import("@xterm/headless").IBufferCell} at */
function lookOf(at) {
  const [front, back] = [
    colourOf(at.isFgRGB(), at.isFgPalette(), at.getFgColor()) ?? ink,
    colourOf(at.isBgRGB(), at.isBgPalette(), at.getBgColor()),
  ];
  const isSwapped = at.isInverse() !== 0;
  const style = [
    at.isBold() ? "font-weight:bold" : "",
    at.isItalic() ? "font-style:italic" : "",
    at.isDim() ? "opacity:.7" : "",
  ];
  return {
    colour: isSwapped ? (back ?? paper) : front,
    background: isSwapped ? front : back,
    style: style.filter((each) => each !== "").join(";"),
  };
}

/**
 * @param {boolean} isRgb
 * @param {boolean} isPalette
 * @param {number} value
 */
function colourOf(isRgb, isPalette, value) {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
  if (!isPalette) return null;
  if (value < 16) return named[value] ?? ink;
  if (value >= 232) return grey(8 + (value - 232) * 10);
  const level = (/** @type {number} */ part) => (part === 0 ? 0 : 55 + part * 40);
  const cube = value - 16;
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join(" ")})`;
}

/** @param {number} level */
const grey = (level) => `rgb(${level} ${level} ${level})`;

/** @param {string} text */
const isBlock = (text) => /^▀+$/.test(text);

/**
 * @param {Run} run
 * @param {number} row
 * @param {(text: string) => string} withoutPlaces
 */
function draw({ column, columns, text, colour, background, style }, row, withoutPlaces) {
  const [x, y] = [round(margin + column * cell.width), round(margin + row * cell.height)];
  const width = round(columns * cell.width + 0.3);
  const box = (/** @type {string} */ fill, /** @type {number} */ top, /** @type {number} */ height) =>
    `<rect x="${x}" y="${round(top)}" width="${width}" height="${round(height)}" fill="${fill}"/>`;
  const half = cell.height / 2;
  if (isBlock(text))
    return box(colour, y, half + 0.3) + (background === null ? "" : box(background, y + half, half + 0.3));
  const behind = background === null ? "" : box(background, y, cell.height + 0.3);
  if (text.trim() === "") return behind;
  const fill = colour === ink ? "" : ` fill="${colour}"`;
  const looks = style === "" ? "" : ` style="${style}"`;
  const begin = text.length - text.trimStart().length;
  const shown = withoutPlaces(text.trim());
  // Keep every character in its column with any font, except text whose length differs from the screen's.
  const isWhole = shown === text.trim() && text.length === columns;
  const fits = isWhole ? ` textLength="${round(shown.length * cell.width)}" lengthAdjust="spacingAndGlyphs"` : "";
  return `${behind}<text x="${round(x + begin * cell.width)}" y="${round(y + cell.height * 0.74)}"${fits}${fill}${looks}>${escaped(shown)}</text>`;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {string} text */
export const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
