import type { ViewOptions } from "./view-options.ts";

/**
 * Lines that were made before, for hosts that ask for them with every frame. They are kept as long as what they show,
 * for the width and the state that were asked for last.
 */
export class RenderCache {
  readonly #kept = new WeakMap<object, { readonly options: ViewOptions; readonly lines: readonly string[] }>();

  /** @param subject what is shown; it never changes, another state of it is another object */
  lines(subject: object, options: ViewOptions, render: () => readonly string[]): readonly string[] {
    const kept = this.#kept.get(subject);
    if (kept !== undefined && looksTheSame(kept.options, options)) return kept.lines;
    const lines = render();
    this.#kept.set(subject, { options, lines });
    return lines;
  }
}

/** The clock does not count: what is kept has ended. */
function looksTheSame(a: ViewOptions, b: ViewOptions): boolean {
  return (
    a.width === b.width &&
    a.expanded === b.expanded &&
    a.theme === b.theme &&
    a.pictures === b.pictures &&
    a.expandKey === b.expandKey
  );
}
