import type { ToolContent } from "../definition/tool.ts";

/** Text and pictures in the model's reading order. Adjacent texts are joined. */
export class ContentFlow {
  readonly #content: ToolContent[] = [];
  #text = "";

  /** @param apart the separator from a text before it */
  text(text: string, apart: string): void {
    if (text === "") return;
    this.#text += this.#text === "" ? text : apart + text;
  }

  attach(content: ToolContent): void {
    this.#endText();
    this.#content.push(content);
  }

  end(): readonly ToolContent[] {
    this.#endText();
    return this.#content;
  }

  #endText(): void {
    if (this.#text !== "") this.#content.push({ type: "text", text: this.#text });
    this.#text = "";
  }
}
