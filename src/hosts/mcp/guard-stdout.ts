import { Writable } from "node:stream";

/** The part of `process` that redirects its standard output. */
export interface StandardStreams {
  readonly stdout: { write: NodeJS.WriteStream["write"] };
  readonly stderr: { write: NodeJS.WriteStream["write"] };
}

/**
 * Standard output belongs to the protocol, and one stray line breaks the connection. From here on only the returned stream
 * writes to it; other output, such as a library's `console.log`, goes to standard error.
 */
export function guardStdout({ stdout, stderr }: StandardStreams): { readonly protocol: Writable; release(): void } {
  const original = stdout.write;
  const write = original.bind(stdout) as (chunk: Uint8Array, whenDone: (error?: Error | null) => void) => boolean;
  stdout.write = ((...args: Parameters<typeof original>) => stderr.write(...args)) as typeof original;
  return {
    protocol: new Writable({ decodeStrings: true, write: (chunk, _encoding, whenDone) => void write(chunk, whenDone) }),
    release: () => {
      stdout.write = original;
    },
  };
}
