import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSandbox } from "../../src/sandbox/sandbox.ts";
import { skipReason, whyNotTested } from "./world.ts";

const python = "/usr/bin/python3";
const latin1 = "en_US.ISO-8859-1";

let folder: string;
beforeAll(() => {
  // Not below /tmp, which a sandbox replaces.
  folder = realpathSync(mkdtempSync(join(process.getuid?.() === 0 ? "/var/cache" : homedir(), "granary-locale-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const canMakeLocales = existsSync("/usr/bin/localedef") && existsSync("/usr/share/i18n/charmaps/ISO-8859-1.gz");
const whyNot = canMakeLocales ? "" : " (skipped: localedef or its character maps are not installed)";

for (const engine of ["bwrap", "landlock"] as const) {
  test.skipIf(whyNotTested(engine) !== null || !canMakeLocales)(
    `${engine}: the locale does not change which paths are meant${skipReason(engine)}${whyNot}`,
    () => {
      execFileSync("/usr/bin/localedef", ["-f", "ISO-8859-1", "-i", "en_US", join(folder, latin1)]);
      const project = join(folder, "projekt-é-日本");
      mkdirSync(join(project, ".git/hooks"), { recursive: true });
      writeFileSync(join(project, ".envrc"), "");
      const found = {
        bwrap: { name: "bwrap", program: "/usr/bin/bwrap" },
        landlock: { name: "landlock", python },
      } as const;
      const wish = { mode: "workspace", network: "off", cwd: project, write: [], show: [], sockets: [] } as const;
      const homes = { userHome: join(folder, "home"), granaryHome: join(folder, "granary") };
      const sandbox = openSandbox({ ...wish, ...homes }, found[engine]);
      const script = `${tryToWrite("made")}; ${tryToWrite(".envrc")}; ${tryToWrite(".git/hooks/made")}; ${tryToWrite("../made")}`;
      const [program = "", ...args] = [...sandbox.launcher, "/bin/sh", "-c", script];
      try {
        for (const locale of [latin1, "C", "C.UTF-8"]) {
          const env = { PATH: "/usr/bin:/bin", LC_ALL: locale, LOCPATH: folder, ...sandbox.env };
          const said = execFileSync(program, args, { cwd: project, env, encoding: "utf8" });
          expect({ locale, said }).toEqual({ locale, said: "written\ndenied\ndenied\ndenied\n" });
        }
        expect(existsSync(join(project, "made"))).toBe(true);
      } finally {
        sandbox.close();
      }
    },
  );
}

function tryToWrite(name: string): string {
  return `if (echo x > ${name}) 2>/dev/null; then echo written; else echo denied; fi`;
}
