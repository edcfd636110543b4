import { visibleText } from "../../output/text/visible-text.ts";
import { openToolbox } from "./open-toolbox.ts";
import type { PiApi, PiContext } from "./pi-api.ts";
import { piTool } from "./pi-tool.ts";
import { rowPictures } from "./row-pictures.ts";

/** pi has its own versions of these; Granary's replace them only on request. */
const piHasThese: readonly string[] = ["read", "edit", "write", "bash"];
const replaceFlag = "granary-files";

/** Granary's tools in pi (`docs/pi.md`), rendered by `view/` as everywhere. */
export default function granaryExtension(pi: PiApi): void {
  const failed = new Set<string>();
  let close = async (): Promise<void> => {};
  pi.registerFlag(replaceFlag, {
    type: "boolean",
    description: "Granary's read, edit, write and bash instead of pi's own: notebooks as text, artifacts, one shell",
  });
  // One runtime per conversation: a new conversation begins with fresh kernels, and the old kernels end.
  pi.on("session_start", async (_event, context) => {
    await close();
    close = await openTools(pi, context, (toolCallId) => failed.add(toolCallId));
  });
  pi.on("session_shutdown", async () => {
    await close();
    close = async () => {};
  });
  // A tool in pi fails by throwing, and the error has no details.
  pi.on("tool_result", ({ toolCallId }) => (failed.delete(toolCallId) ? { isError: true } : undefined));
}

/** `ipy-only` means that an agent has no shell besides Python, so pi's own bash is turned off. */
function deactivateBash(pi: PiApi, tell: (line: string) => void): void {
  const active = pi.getActiveTools?.();
  if (active === undefined || pi.setActiveTools === undefined) {
    tell(
      "python.toolMode is ipy-only, but this pi does not let extensions turn its own bash off: start it without that tool.\n",
    );
  } else if (active.includes("bash")) {
    pi.setActiveTools(active.filter((name) => name !== "bash"));
  }
}

async function openTools(pi: PiApi, context: PiContext, onFailed: (id: string) => void): Promise<() => Promise<void>> {
  const { cwd, ui, hasUI, sessionManager } = context;
  const tell = (said: string): void => {
    const line = visibleText(said);
    // The screen is pi's: any other output would corrupt it.
    if (hasUI) ui.notify(line.trim(), "info");
    else process.stderr.write(line);
  };
  const { toolbox, close } = await openToolbox({
    cwd,
    session: sessionManager.getSessionId?.() ?? "pi",
    sessionFile: sessionManager.getSessionFile?.(),
    tell,
  });
  const pictures = rowPictures(process.env);
  const replaces = pi.getFlag(replaceFlag) === true;
  for (const tool of toolbox.tools) {
    if (replaces || !piHasThese.includes(tool.name)) pi.registerTool(piTool(tool, { onFailed, pictures }));
  }
  if (toolbox.find("bash") === undefined) deactivateBash(pi, tell);
  for (const notice of toolbox.notices) tell(`${notice}\n`);
  return close;
}
