import { drawScreen, picture } from "./svg.mjs";

/** How long a picture of the film stays. */
const secondsEach = 2.5;
const gap = 8;

/**
 * Pictures of two terminals beside each other, shown one after the other, as one SVG without scripts. A reader who prefers
 * no motion sees the last one.
 */
export class Film {
  #width = 0;
  #height = 0;
  /** @type {string[]} */
  #frames = [];

  /**
   * @param {readonly { terminal: import("@xterm/headless").Terminal, title: string }[]} screens from left to right
   * @param {(text: string) => string} withoutPlaces
   */
  add(screens, withoutPlaces) {
    let left = 0;
    const drawn = screens.map(({ terminal, title }) => {
      const screen = drawScreen(terminal, withoutPlaces);
      const [x, width] = [left, screen.width];
      left += width + gap;
      this.#height = Math.max(this.#height, screen.height + 24);
      return `<g transform="translate(${x} 24)"><text x="14" y="-4" opacity=".6">${title}</text>${screen.drawn}</g>`;
    });
    this.#width = left - gap;
    this.#frames.push(drawn.join("\n"));
  }

  /** @param {string} title */
  svg(title) {
    const count = this.#frames.length;
    const styles = this.#frames.map((_, index) => {
      const [from, to] = [(index / count) * 100, ((index + 1) / count) * 100].map((part) => `${part.toFixed(2)}%`);
      return `@keyframes f${index}{0%{opacity:0}${from}{opacity:1}${to}{opacity:0}100%{opacity:0}}#f${index}{animation:f${index} ${count * secondsEach}s step-end infinite}`;
    });
    const still = `@media(prefers-reduced-motion){[id^=f]{animation:none!important}#f${count - 1}{opacity:1}}`;
    const content = this.#frames.map((frame, index) => `<g id="f${index}" opacity="0">${frame}</g>`).join("\n");
    return picture({ width: this.#width, height: this.#height, title, content, style: styles.join("") + still });
  }
}
