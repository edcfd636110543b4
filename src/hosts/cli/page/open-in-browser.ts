import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { hubFolder } from "../../../hub/start/hub-folder.ts";
import { escapeHtml } from "../../../output/html/safe-html.ts";
import { pathOutside } from "../../../runtime/sandbox/path-outside.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import type { Environment } from "../../../support/environment.ts";
import { writeFileAtomically } from "../../../support/files/atomic-write.ts";
import { systemProgram } from "../../../support/process/system-program.ts";

/**
 * Opens an address that contains a secret. Every user of the machine sees the arguments of programs, so the browser gets a
 * file of this user that leads to the address. Returns why that is not possible, as on a machine behind ssh.
 */
export async function openInBrowser(
  address: string,
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<string | null> {
  const file = join(hubFolder(granaryHome(env)), "open-page.html");
  const to = escapeHtml(address);
  const html = `<!doctype html><meta charset="utf-8"><title>Granary</title><meta http-equiv="refresh" content="0;url=${to}"><a href="${to}">Granary</a>\n`;
  await writeFileAtomically(file, html, { mode: 0o600 });
  const opener = env.BROWSER || systemProgram(process.platform === "darwin" ? "open" : "xdg-open");
  const around = { ...env, PATH: await pathOutside({ cwd, env }) };
  const child = spawn(opener, [pathToFileURL(file).href], { detached: true, stdio: "ignore", env: around });
  try {
    await once(child, "spawn");
  } catch {
    return `No browser was found: ${opener} cannot be started.`;
  }
  child.unref();
  return null;
}
