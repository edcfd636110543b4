import { readFileSync } from "node:fs";
import { hasDescriptors, requireDescriptors } from "../support/process/descriptors.ts";

/** Modules that a process with one kernel and one cell does not need, and that later cells and kernels do. */
const modules: readonly (() => Promise<unknown>)[] = [
  () => import("../python/find/interview.ts"),
  () => import("../python/find/in-folder.ts"),
  () => import("../python/find/read-facts.ts"),
  () => import("../settings/trust/trusted-folders.ts"),
  () => import("./say-left-out.ts"),
  () => import("./joined-session.ts"),
  () => import("../support/files/atomic-write.ts"),
  () => import("../support/files/held-file.ts"),
  () => import("../support/files/in-place-write.ts"),
  () => import("../support/files/make-folder.ts"),
  () => import("../session/kernel-life/resume-kernel.ts"),
  async () => (await import("../session/bootstrap/bootstrap.ts")).preludeSources(),
  () => import("./shell/pending-snapshot.ts"),
  () => import("../shell/snapshot/shell-snapshot.ts"),
  () => import("../kernel/runner/warm/warm-interpreters.ts"),
  () => import("./warm/preload-memory.ts"),
  () => import("../kernel/runner/checkpoints/runner-checkpoint.ts"),
  () => import("./timelines.ts"),
  () => import("./limits/watch-limits.ts"),
  () => import("./sandbox/session-sandboxes.ts"),
  () => import("./sandbox/own-folder.ts"),
  () => import("./shell/added-packages.ts"),
  () => import("./sandbox/say-sandbox.ts"),
  () => import("./sandbox/denied-command.ts"),
  () => import("./sandbox/denied/foreign-folder.ts"),
  () => import("./sandbox/inside-only.ts"),
  () => import("./sandbox/not-set-up.ts"),
  () => import("./sandbox/save-roots.ts"),
  () => import("./sandbox/sandbox-roots.ts"),
  () => import("../support/files/foreign/known-places.ts"),
  () => import("./sandbox/programs-in-front.ts"),
  () => import("./kernel/later-path.ts"),
  () => import("../settings/trust/needs-trust.ts"),
  () => import("./sandbox/tighter-folder.ts"),
  () => import("../kernel/errors.ts"),
  () => import("../sandbox/network/host-gate.ts"),
  () => import("../sandbox/network/listen.ts"),
  () => import("../sandbox/network/index-hosts.ts"),
  () => import("../sandbox/engine.ts"),
  () => import("../sandbox/sandbox.ts"),
  () => import("../output/traceback/render-traceback.ts"),
  () => import("../output/artifacts/artifact-kinds.ts"),
  () => import("../output/html/html-to-markdown.ts"),
  () => import("../output/html/what-scripts-draw.ts"),
  () => import("../output/display/render-picture.ts"),
  () => import("../output/display/render-drawing.ts"),
  () => import("../output/display/kept-content.ts"),
  () => import("../output/display/browser-page.ts"),
  () => import("../output/display/save-content.ts"),
  () => import("../support/closest.ts"),
];

/**
 * With so many free, one start and the modules it loads do not compete for descriptors. Not more: a
 * process that opens its 65th file waits for milliseconds while Linux makes room in its table.
 */
const plenty = 40;
const smallLimit = 256;
const longRunMs = 1000;

let isFirstStart = true;
let loading: Promise<void> | undefined;

/**
 * Await this before starting a kernel. Node remembers for ever that a module could not be read, so a module that is
 * first needed while descriptors are short would be missing until the host ends. A short run loads nothing ahead.
 */
export async function beforeStart(loadBackend: () => Promise<unknown>): Promise<void> {
  requireDescriptors();
  const isAlone = isFirstStart && !hasSmallLimit() && hasDescriptors(plenty);
  isFirstStart = false;
  if (isAlone) {
    setTimeout(() => void loadAhead().catch(() => undefined), longRunMs).unref();
  } else {
    await loadAhead();
    await loadBackend();
  }
}

/** Such a host runs out after a few kernels. Only Linux reports the number. */
function hasSmallLimit(): boolean {
  try {
    const limits = readFileSync("/proc/self/limits", "latin1");
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? smallLimit) < smallLimit;
  } catch {
    return false;
  }
}

function loadAhead(): Promise<void> {
  loading ??= loadAll().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** One after the other, so that few files are open at a time. */
async function loadAll(): Promise<void> {
  for (const load of modules) {
    requireDescriptors();
    await load();
  }
}
