/** A line as it comes from a keyboard, key by key or whole, with the few editing keys that a password needs. */
export class TypedLine {
  text = "";
  state: "open" | "complete" | "ended" | "interrupted" = "open";

  type(keys: string): void {
    for (const key of keys) {
      if (this.state !== "open") return;
      this.#press(key);
    }
  }

  /** There will be no more keys. What was typed before counts as a line. */
  end(): void {
    if (this.state === "open") this.state = this.text === "" ? "ended" : "complete";
  }

  #press(key: string): void {
    switch (key) {
      case "\r":
      case "\n":
        this.state = "complete";
        break;
      case "\x03": // Ctrl-C
        this.state = "interrupted";
        break;
      case "\x04": // Ctrl-D
        if (this.text === "") this.state = "ended";
        break;
      case "\x15": // Ctrl-U
        this.text = "";
        break;
      case "\x7f": // Backspace, and what some terminals send for it
      case "\b":
        this.text = [...this.text].slice(0, -1).join("");
        break;
      default:
        this.text += key;
    }
  }
}
