/** A command in a page, and the answer that the page shows. */
export interface ShownCommand {
  readonly command: string;
  readonly output: string;
}

/** In a ```console fence, a line after `$ ` is typed, and the lines below it are the answer. */
export function commandsIn(page: string): readonly ShownCommand[] {
  const fences = [...page.matchAll(/^```console\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  return fences
    .flatMap((text) => text.split(/^\$ /m).slice(1))
    .map((text) => {
      const [command = "", ...lines] = text.split("\n");
      return { command, output: lines.join("\n") };
    });
}

/** From Python 3.11 on, tracebacks underline the place within the line. */
export function withoutCarets(text: string): string {
  return text.replace(/^ +[~^]+\n/gm, "");
}

/** `…` stands for a part that differs from machine to machine. */
export function asPattern(output: string): RegExp {
  const literal = output.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join(".+")}$`);
}
