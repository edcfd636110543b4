import type { Session } from "../../session/session.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { ToolContext } from "../context/tool-context.ts";

const ofContexts = new WeakMap<ToolContext, OpenBranches>();

/**
 * The branches that an agent's last calls have made: each waits until one of them is kept, or its session runs something else. One
 * that still runs its cells then continues.
 */
export class OpenBranches {
  readonly #branches = new Map<object, Map<string, Session>>();

  private constructor(context: ToolContext) {
    context.atEnd(async () => {
      await Promise.all([...this.#branches.keys()].map((session) => this.#end(session)));
    });
  }

  static of(context: ToolContext): OpenBranches {
    const known = ofContexts.get(context) ?? new OpenBranches(context);
    ofContexts.set(context, known);
    return known;
  }

  /** A branch with the variables of the session, under a title. */
  async open(session: Session, title: string): Promise<Session> {
    const branch = await session.fork(`${session.id}/${title}`);
    const branches = this.#branches.get(session.shared) ?? new Map<string, Session>();
    this.#branches.set(session.shared, branches.set(title, branch));
    return branch;
  }

  /** The session continues as that branch; the others end. */
  async keep(session: Session, title: string): Promise<void> {
    const branches = this.#branches.get(session.shared) ?? new Map<string, Session>();
    const branch = branches.get(title);
    if (branch === undefined) throw new GranaryError("no-checkpoint", sayUnknown(title, [...branches.keys()]));
    const whyEnded = sayMovedOn(session, branch, title);
    if (whyEnded !== null) {
      await this.endIdle(session);
      throw new GranaryError("no-checkpoint", whyEnded);
    }
    await session.keep(branch);
    branches.delete(title);
    await this.end(session);
  }

  /** The session runs something else, so none of those that are over is kept. */
  async endIdle({ shared }: Session): Promise<void> {
    const branches = this.#branches.get(shared);
    const idle = [...(branches ?? [])].filter(([, branch]) => !branch.shared.isBusy);
    for (const [title] of idle) branches?.delete(title);
    await Promise.all(idle.map(([, branch]) => branch.leave()));
  }

  /** None of them is kept. */
  end({ shared }: Session): Promise<void> {
    return this.#end(shared);
  }

  async #end(shared: object): Promise<void> {
    const branches = [...(this.#branches.get(shared)?.values() ?? [])];
    this.#branches.delete(shared);
    await Promise.all(branches.map((branch) => branch.leave()));
  }
}

/** Another client has run a cell in the session after the branch was over: keeping the branch would drop that cell. */
function sayMovedOn({ id, shared }: Session, branch: Session, title: string): string | null {
  const { last } = shared.recentCells;
  if (last === null || last.at <= branch.shared.idleSince) return null;
  return `Branch ${title} has ended: session ${id} has moved on since. ${last.by} ran: ${last.firstLine}\nRun the branches again.`;
}

function sayUnknown(title: string, titles: readonly string[]): string {
  const known = titles.length === 0 ? "None is open." : `Open are: ${titles.join(", ")}.`;
  return `There is no branch ${title}. ${known} Branches end when their session runs something else.`;
}
