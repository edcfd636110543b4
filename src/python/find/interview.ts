import { stat } from "node:fs/promises";
import { basename, dirname, isAbsolute } from "node:path";
import { kernelEnvironment, type PackageContext } from "../environment/kernel-environment.ts";
import type { RejectedCandidate } from "../interpreter.ts";
import { askPython, type Reply } from "./ask-python.ts";
import type { Candidate, PathInFront, Search } from "./candidates.ts";
import { type Examined, examineCandidate, membershipOf } from "./examine-candidate.ts";
import type { InterpreterCache } from "./interpreter-cache.ts";
import { type Found, lookAt, usable } from "./look-at.ts";
import { type ProbeAnswer, whyUnfit } from "./probe-answer.ts";
import { sayLeftOutOfPath } from "./search-paths.ts";

export interface InterviewOptions extends Search, PackageContext {
  readonly signal?: AbortSignal | undefined;
  /** Timeout for all Pythons together; 10 seconds by default. */
  readonly deadlineMs?: number | undefined;
  /** Runs no code that came with the folder. */
  readonly looksOnly?: boolean | undefined;
  /**
   * In a sandbox: puts it in front of a version manager's shim, which has to be asked. Files speak for every other Python, wherever
   * it is: an earlier cell may have written the code that a Python runs at its start.
   */
  readonly confine?: Confine | undefined;
}

type Confine = (
  executable: string,
  env: Readonly<Record<string, string>>,
) => Promise<{ readonly launcher: readonly string[]; readonly env: Readonly<Record<string, string>> }>;

/** Asks candidates for their facts: all at once, none twice, with one deadline for all. */
export class Interview {
  readonly #options: InterviewOptions;
  readonly #over = new AbortController();
  readonly #deadline: NodeJS.Timeout;
  readonly #cancel = (): void => this.#over.abort(new Error("was not asked to the end"));
  readonly #replies = new Map<string, Promise<Reply>>();
  readonly #answers = new Map<Examined, ProbeAnswer>();

  constructor(options: InterviewOptions) {
    this.#options = options;
    const { signal, deadlineMs = 10_000 } = options;
    const tooLate = new Error(`did not answer within ${deadlineMs / 1000} s`);
    this.#deadline = setTimeout(() => this.#over.abort(tooLate), deadlineMs);
    signal?.addEventListener("abort", this.#cancel);
    if (signal?.aborted) this.#cancel();
  }

  /** Never rejects: a problem of a Python is an answer. */
  async ask(candidate: Candidate, cache?: InterpreterCache): Promise<Found | RejectedCandidate> {
    const examined = await examineCandidate(candidate, this.#options);
    if ("problem" in examined) return examined;
    const known = await cache?.recall(examined);
    if (known) return usable(examined, known);
    return (await lookAt(examined, this.#options)) ?? this.#judge(examined, await this.#askOnce(examined));
  }

  /** Stores the answers for the next start. */
  remember(cache: InterpreterCache): Promise<void> {
    return cache.remember(this.#answers);
  }

  /** Ends the Pythons that have not answered yet, and ignores them. */
  close(): void {
    clearTimeout(this.#deadline);
    this.#options.signal?.removeEventListener("abort", this.#cancel);
    this.#cancel();
  }

  #askOnce(examined: Examined): Promise<Reply> {
    const { identity } = examined;
    const reply = this.#replies.get(identity) ?? this.#start(examined);
    this.#replies.set(identity, reply);
    return reply;
  }

  async #start(examined: Examined): Promise<Reply> {
    const { cwd, env, allowEnv, looksOnly, confine } = this.#options;
    // Version managers read files of the folder they start in.
    const isFolder =
      !looksOnly &&
      (await stat(cwd).then(
        (found) => found.isDirectory(),
        () => false,
      ));
    try {
      const front = examined.isShim && confine === undefined ? await this.#inFront(examined) : null;
      const around = front === null ? env : { ...env, PATH: front.path };
      const usual = { launcher: [], env: kernelEnvironment(around, examined, allowEnv) };
      const reply = await askPython(examined.executable, {
        // A missing folder is no fault of a Python; starting a kernel there will report it.
        cwd: isFolder ? cwd : "/",
        ...((await confine?.(examined.executable, usual.env)) ?? usual),
        signal: this.#over.signal,
      });
      const isTold = "problem" in reply && front !== null && front.leftOut.length > 0;
      return isTold ? { ...reply, problem: `${reply.problem}. ${sayLeftOutOfPath(front.leftOut)}` } : reply;
    } catch (error) {
      return { problem: `cannot be asked: ${(error as Error).message}` };
    }
  }

  /** A script must not find programs of the folder before those that it means. */
  async #inFront({ executable }: Examined): Promise<PathInFront> {
    const { looksOnly, inFront } = this.#options;
    if (inFront !== undefined) return inFront(looksOnly ? undefined : executable);
    const { isOfFolder, withoutFolderPrograms } = await import("./in-folder.ts");
    // A wrapper of the folder could start any program there.
    if (!looksOnly && (await isOfFolder(executable, this.#options)))
      return { path: this.#options.env.PATH, leftOut: [] };
    const { env, leftOut } = await withoutFolderPrograms(this.#options);
    return { path: env.PATH, leftOut };
  }

  async #judge(examined: Examined, reply: Reply): Promise<Found | RejectedCandidate> {
    const { candidate } = examined;
    if ("problem" in reply) return { ...candidate, ...reply };
    const problem = whyUnfit(reply.facts);
    if (problem !== null) return { ...candidate, problem };
    if (examined.isShim) return behindShim(examined, reply);
    this.#answers.set(examined, reply);
    return usable(examined, reply.facts);
  }
}

/** A program that the user named, and no shim of a version manager: it starts Python in a container, say, and runs as given. */
function isWrapper({ candidate: { path, source } }: Examined): boolean {
  return source === "explicit" && basename(dirname(path)) !== "shims";
}

async function behindShim(shim: Examined, { executable, facts }: ProbeAnswer): Promise<Found | RejectedCandidate> {
  const membership = await membershipOf(executable).catch(() => null);
  const reportedBy = shim.executable;
  if (isWrapper(shim)) return { ...usable({ ...shim, ...membership }, facts), reportedBy };
  const isKnown = isAbsolute(executable) && membership !== null;
  if (!isKnown) return { ...shim.candidate, problem: "does not say which Python it starts" };
  return { ...usable({ ...shim, executable, ...membership }, facts), reportedBy };
}
