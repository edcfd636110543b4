import type { ViewOptions } from "./view-options.ts";

/**
 * Cached lines, for hosts that ask with every frame. They live as long as their subject,
 * for the last width and state.
 */
export class RenderCache {
  readonly #kept = new WeakMap<object, { readonly options: ViewOptions; readonly lines: readonly string[] }>();

  /** @param subject what is shown; immutable, another state is another object */
  lines(subject: object, options: ViewOptions, render: () => readonly string[]): readonly string[] {
    const kept = this.#kept.get(subject);
    if (kept !== undefined && looksTheSame(kept.options, options)) return kept.lines;
    const lines = render();
    this.#kept.set(subject, { options, lines });
    return lines;
  }
}

/** The clock does not count: cached subjects have ended. */
function looksTheSame(a: ViewOptions, b: ViewOptions): boolean {
  return (
    a.width === b.width &&
    a.expanded === b.expanded &&
    a.theme === b.theme &&
    a.pictures === b.pictures &&
    a.expandKey === b.expandKey
  );
}
