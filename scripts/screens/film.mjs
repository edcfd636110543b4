import { drawScreen, escaped, font, ink, paper } from "./svg.mjs";

const bar = 26;
const gap = 10;

/**
 * A terminal and a page beside each other, as one SVG without scripts that plays in an <img>. Each part changes on its own
 * and is stored once. A reader who prefers no motion sees the end.
 */
export class Film {
  #titles;
  #size;
  /** @type {{ part: 0 | 1, drawn: string, from: number, to: number }[]} */
  #pictures = [];
  #seconds = 0;

  /**
   * @param {{ titles: readonly [string, string], widths: readonly [number, number], height: number }} look
   */
  constructor({ titles, widths, height }) {
    this.#titles = titles;
    this.#size = { widths, height };
  }

  /**
   * @param {import("@xterm/headless").Terminal} terminal
   * @param {(text: string) => string} withoutPlaces
   */
  showTerminal(terminal, withoutPlaces) {
    this.#show(0, drawScreen(terminal, withoutPlaces).drawn);
  }

  /**
   * @param {string} address a picture of twice the size of its place, as a data URL
   * @param {{ x: number, y: number } | null} pointer the place of the mouse
   */
  showPage(address, pointer) {
    const [, width] = this.#size.widths;
    const image = `<image width="${width}" height="${this.#size.height}" href="${address}"/>`;
    const arrow = pointer === null ? "" : `<use href="#pointer" x="${pointer.x}" y="${pointer.y}"/>`;
    this.#show(1, image + arrow);
  }

  /** @param {number} seconds how long both parts stay as they are */
  hold(seconds) {
    this.#seconds += seconds;
    for (const part of [0, 1]) {
      const last = this.#pictures.findLast((each) => each.part === part);
      if (last !== undefined) last.to = this.#seconds;
    }
  }

  /**
   * @param {0 | 1} part
   * @param {string} drawn
   */
  #show(part, drawn) {
    const last = this.#pictures.findLast((each) => each.part === part);
    if (last?.drawn === drawn) return;
    this.#pictures.push({ part, drawn, from: this.#seconds, to: this.#seconds });
  }

  /** @param {string} title a description for screen readers */
  svg(title) {
    const { widths, height } = this.#size;
    const [left, right] = widths;
    const shown = this.#pictures.filter(({ from, to }) => to > from);
    const styles = shown.map(({ from, to }, index) => {
      const [begin, end] = [from, to].map((at) => `${((at / this.#seconds) * 100).toFixed(2)}%`);
      const steps = `${from > 0 ? "0%{opacity:0}" : ""}${begin}{opacity:1}${to < this.#seconds ? `${end}{opacity:0}` : ""}`;
      return `@keyframes k${index}{${steps}}#k${index}{animation:k${index} ${this.#seconds.toFixed(1)}s step-end infinite}`;
    });
    const last = shown.flatMap(({ to }, index) => (to === this.#seconds ? [`#k${index}`] : []));
    const still = `@media(prefers-reduced-motion){[id^=k]{animation:none!important}${last.join(",")}{opacity:1}}`;
    const pictures = (/** @type {number} */ part) =>
      shown
        .map((each, index) => (each.part === part ? `<g id="k${index}" opacity="0">${each.drawn}</g>` : ""))
        .join("\n");
    const whole = { width: left + gap + right, height: height + bar };
    return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="-1 -1 ${whole.width + 2} ${whole.height + 2}" width="${whole.width + 2}" height="${whole.height + 2}">
<title>${escaped(title)}</title>
<style>text{white-space:pre}${styles.join("")}${still}</style>
<defs><path id="pointer" d="M0 0v17l4-4 3 7 3-1-3-7h6z" fill="#000" stroke="#fff" stroke-width="1.2"/></defs>
${this.#window(0, left, whole.height, paper, ink, this.#titles[0], pictures(0))}
${this.#window(left + gap, right, whole.height, "#f0efec", "#444", this.#titles[1], pictures(1))}
</svg>
`;
  }

  /**
   * @param {number} x
   * @param {number} width
   * @param {number} height
   * @param {string} fill
   * @param {string} colour
   * @param {string} title
   * @param {string} content
   */
  #window(x, width, height, fill, colour, title, content) {
    const dots = ["#ed6a5e", "#f4bf4f", "#61c554"].map(
      (dot, index) => `<circle cx="${16 + index * 16}" cy="13" r="4.5" fill="${dot}"/>`,
    );
    const frame = `width="${width}" height="${height}" rx="8"`;
    return `<clipPath id="window${x}"><rect ${frame}/></clipPath>
<g transform="translate(${x} 0)"><g clip-path="url(#window${x})"><rect ${frame} fill="${fill}"/>${dots.join("")}
<text x="${width / 2}" y="18" text-anchor="middle" font-size="13" font-family="system-ui,sans-serif" fill="${colour}">${escaped(title)}</text>
<g transform="translate(0 ${bar})" fill="${ink}" font-size="14" font-family="${font}">${content}</g></g>
<rect ${frame} fill="none" stroke="#888" stroke-opacity=".5"/></g>`;
  }
}
