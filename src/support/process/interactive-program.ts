import { basename } from "node:path";

/** Programs that wait for a person. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  "an editor": [
    "vi",
    "vim",
    "vim.basic",
    "vim.tiny",
    "nvim",
    "nano",
    "pico",
    "emacs",
    "ed",
    "micro",
    "joe",
    "hx",
    "mcedit",
  ],
  "a pager": ["less", "more", "most", "man"],
  "a password prompt": ["sudo", "su", "passwd", "ssh-askpass", "ssh-add", "systemd-ask-password", "git-askpass"],
};

const interpreters = /^(?:ba|da|z|k)?sh$|^python[\d.]*$|^perl$|^node$|^ruby$/;

/** The kind of a program that needs a person at a terminal; null for any other. */
export function interactiveProgram([program = "", ...args]: readonly string[]): string | null {
  const name = basename(program);
  const [script] = args;
  const isScript = interpreters.test(name) && script !== undefined && !script.startsWith("-");
  const named = isScript ? basename(script) : name;
  if (/^pinentry(?:-\w+)?$/.test(named)) return "a password prompt";
  return Object.entries(kinds).find(([, names]) => names.includes(named))?.[0] ?? null;
}
