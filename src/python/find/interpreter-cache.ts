import { dirname, join } from "node:path";
import { readFile, stat } from "../../support/files/look.ts";
import { type PackageContext, packageContext } from "../environment/kernel-environment.ts";
import type { PythonFacts } from "../interpreter.ts";
import type { Examined } from "./examine-candidate.ts";
import { decodeFacts, isRecord, isString, isWatched, type ProbeAnswer, type Watched } from "./probe-answer.ts";

/** Raise this when the probe asks something new: Granary then ignores answers that older versions stored. */
const format = 1;
const mostRemembered = 32;

/** A Python's answer, and everything that the answer depended on. */
interface Remembered {
  readonly executable: string;
  readonly context: string;
  readonly stamp: string;
  readonly watched: Watched;
  readonly facts: PythonFacts;
}

/**
 * Stored answers of Pythons, so that a start need not ask again. Keeps only good answers.
 * A damaged or unwritable file only means that Granary asks again.
 */
export class InterpreterCache {
  readonly #file: string | null;
  readonly #context: string;
  #remembered: Promise<readonly Remembered[]> | undefined;

  /** @param options without `home`, Granary's own folder, the cache is empty and stores nothing */
  constructor(options: PackageContext & { readonly home?: string | undefined }) {
    this.#file = options.home === undefined ? null : join(options.home, "cache", "interpreters.json");
    this.#context = packageContext(options);
  }

  /** Null if this Python has not answered yet, or has changed since. */
  async recall({ executable, stamp }: Examined): Promise<PythonFacts | null> {
    this.#remembered ??= this.#read();
    const question = { executable, context: this.#context };
    const known = (await this.#remembered).find((one) => isSameQuestion(one, question) && one.stamp === stamp);
    return known !== undefined && (await isUnchanged(known.watched)) ? known.facts : null;
  }

  /** If another process saves at the same moment, the answers of one of them are kept. */
  async remember(answers: ReadonlyMap<Examined, ProbeAnswer>): Promise<void> {
    const file = this.#file;
    const fresh = [...answers].filter(([{ isShim }]) => !isShim).map((answer) => this.#toRemember(...answer));
    if (file === null || fresh.length === 0) return;
    const others = (await this.#read()).filter((old) => !fresh.some((one) => isSameQuestion(one, old)));
    const interpreters = [...fresh, ...others].slice(0, mostRemembered);
    // Loaded here, because nearly every start only reads.
    const { writeFileAtomically } = await import("../../support/files/atomic-write.ts");
    const { makeFolder } = await import("../../support/files/make-folder.ts");
    try {
      await makeFolder(dirname(file));
      await writeFileAtomically(file, `${JSON.stringify({ format, interpreters }, null, 1)}\n`, { mode: 0o600 });
    } catch {
      // A full disk, or an unwritable home: the next start asks again.
    }
  }

  #toRemember({ executable, stamp }: Examined, { facts, watched }: ProbeAnswer): Remembered {
    return { executable, context: this.#context, stamp, watched, facts };
  }

  async #read(): Promise<readonly Remembered[]> {
    if (this.#file === null) return [];
    try {
      const content: unknown = JSON.parse(await readFile(this.#file, "utf8"));
      if (!isRecord(content) || content.format !== format || !Array.isArray(content.interpreters)) return [];
      return content.interpreters.map(decode).filter((one) => one !== null);
    } catch {
      return [];
    }
  }
}

type Question = Pick<Remembered, "executable" | "context">;

function isSameQuestion(one: Question, other: Question): boolean {
  return one.executable === other.executable && one.context === other.context;
}

async function isUnchanged(watched: Watched): Promise<boolean> {
  const checks = Object.entries(watched).map(async ([path, changedAt]) => {
    const now = await stat(path, { bigint: true }).catch(() => null);
    return (now === null ? null : String(now.mtimeNs)) === changedAt;
  });
  return (await Promise.all(checks)).every(Boolean);
}

function decode(value: unknown): Remembered | null {
  if (!isRecord(value)) return null;
  const { executable, context, stamp, watched } = value;
  const facts = decodeFacts(value.facts);
  const isWhole = isString(executable) && isString(context) && isString(stamp) && isWatched(watched);
  return isWhole && facts !== null ? { executable, context, stamp, watched, facts } : null;
}
