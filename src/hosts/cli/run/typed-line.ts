/** A line from a keyboard, key by key or whole, with the few editing keys that a password needs. */
export class TypedLine {
  text = "";
  state: "open" | "complete" | "ended" | "interrupted" = "open";

  type(keys: string): void {
    for (const key of keys) {
      if (this.state !== "open") return;
      this.#press(key);
    }
  }

  /** The input has ended. The keys typed so far count as a line. */
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
      case "\x7f": // Backspace, also as some terminals send it
      case "\b":
        this.text = [...this.text].slice(0, -1).join("");
        break;
      default:
        this.text += key;
    }
  }
}
