import { decodePrintableKey, isKeyRelease, parseKey } from "@earendil-works/pi-tui/dist/keys.js";
import { StdinBuffer } from "@earendil-works/pi-tui/dist/stdin-buffer.js";

/** Keyboard input. */
export type Key =
  /** `enter`, `ctrl+c`, `alt+enter`, `shift+tab`, `up`, `pageDown`, `escape`, … */
  | { readonly type: "key"; readonly name: string }
  /** One typed character. */
  | { readonly type: "text"; readonly text: string }
  /** Pasted text, with `\n` between lines. */
  | { readonly type: "paste"; readonly text: string };

export interface KeyListener {
  key(key: Key): void;
  /** The terminal's reply to a query. */
  reply(sequence: string): void;
}

/** Parses terminal input into keys, regardless of how it is split into chunks. */
export class KeyReader {
  readonly #buffer = new StdinBuffer();
  readonly #listener: KeyListener;
  /** The first half of a surrogate pair that was split. */
  #half = "";

  constructor(listener: KeyListener) {
    this.#listener = listener;
    this.#buffer.on("data", (sequence) => this.#take(sequence));
    this.#buffer.on("paste", (text) => listener.key({ type: "paste", text: text.replace(/\r\n?/g, "\n") }));
  }

  read(text: string): void {
    this.#buffer.process(text);
  }

  close(): void {
    this.#buffer.destroy();
  }

  #take(sequence: string): void {
    const whole = this.#half + sequence;
    this.#half = /[\ud800-\udbff]$/.test(whole) ? whole : "";
    if (whole === "" || this.#half !== "") return;
    if (isReply(whole)) this.#listener.reply(whole);
    else if (!isKeyRelease(whole)) this.#tell(whole);
  }

  #tell(sequence: string): void {
    const text = printable(sequence);
    if (text !== null) this.#listener.key({ type: "text", text });
    else {
      const name = nameOf(sequence);
      if (name !== undefined) this.#listener.key({ type: "key", name });
    }
  }
}

function printable(sequence: string): string | null {
  const isEscape = sequence.startsWith("\x1b");
  if (isEscape) return decodePrintableKey(sequence) ?? null;
  return controlCharacter.test(sequence) ? null : sequence;
}

function nameOf(sequence: string): string | undefined {
  return unknownToLibrary[sequence] ?? parseKey(sequence);
}

const unknownToLibrary: Readonly<Record<string, string | undefined>> = {
  // Enter is `\r`; `\n` comes from Ctrl-J, and from terminals that are configured to send it for Shift-Enter.
  "\n": "ctrl+j",
  // In tmux, in screen and on the Linux console.
  "\x1b[1~": "home",
  "\x1b[4~": "end",
  // On the Linux console.
  "\x1b\t": "shift+tab",
};

/** Replies about the keyboard protocol, the device, the cell size, colours, pictures. */
function isReply(sequence: string): boolean {
  return reply.test(sequence);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlCharacter = /^[\x00-\x1f\x7f-\x9f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a reply is an escape sequence
const reply = /^\x1b(?:\[\?[\d;]*[uc]|\[6;\d+;\d+t|[\]P_])/;
