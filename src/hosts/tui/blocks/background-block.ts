import type { StreamName } from "../../../kernel/events.ts";
import type { ExecutionCapture } from "../../../output/execution-capture.ts";
import { renderOutput } from "../../../view/lines/output-lines.ts";
import { type Look, RenderedLines, type TranscriptBlock } from "./block.ts";

const previewLines = 10;
const tailBytes = 8192;

/** Output of threads and child processes while no cell runs. */
export class BackgroundBlock implements TranscriptBlock {
  readonly #capture: ExecutionCapture;
  readonly #lines = new RenderedLines();
  #version = 0;
  #isSettled = false;

  constructor(capture: ExecutionCapture) {
    this.#capture = capture;
  }

  /** Whether it takes more output. */
  get isOpen(): boolean {
    return !this.#isSettled;
  }

  take(text: string, name: StreamName): void {
    void this.#capture.take({ type: "stream", name, text });
    this.#version += 1;
  }

  settle(): void {
    this.#isSettled = true;
  }

  render(look: Look): readonly string[] {
    return this.#lines.get(look, this.#version, () => {
      const { width, theme, liveRows } = look;
      const shown = { width, theme, expanded: false, previewLines: Math.min(previewLines, liveRows) };
      return [theme.muted("printed between cells:"), ...renderOutput(this.#capture.tail(tailBytes), shown)];
    });
  }
}
