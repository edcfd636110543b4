import type { PiComponent } from "./pi-api.ts";

/** Lines for pi to show, made when it asks for them and kept until something has changed. */
export class Lines implements PiComponent {
  readonly #make: (width: number) => readonly string[];
  #kept: { readonly width: number; readonly lines: readonly string[] } | null = null;

  constructor(make: (width: number) => readonly string[]) {
    this.#make = make;
  }

  render(width: number): string[] {
    if (this.#kept?.width !== width) this.#kept = { width, lines: this.#make(width) };
    return [...this.#kept.lines];
  }

  invalidate(): void {
    this.#kept = null;
  }
}
