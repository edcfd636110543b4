import { systemProgram } from "../../support/process/system-program.ts";

const loadsCode = /^(LD_|DYLD_|GCONV_PATH$|LOCPATH$)/;

/**
 * Variables that make every program load libraries, for programs inside of a sandbox only: they may lead into a folder that cells
 * write, and the programs that set the limits run before the limits do.
 */
export function insideOnly(launcher: readonly string[], env: Readonly<Record<string, string>>) {
  const [inside, outside] = [true, false].map((loads) =>
    Object.entries(env).filter(([name]) => loadsCode.test(name) === loads),
  );
  if (inside === undefined || inside.length === 0) return { launcher, env };
  const given = inside.map(([name, value]) => `${name}=${value}`);
  return { launcher: [...launcher, systemProgram("env"), ...given], env: Object.fromEntries(outside ?? []) };
}
