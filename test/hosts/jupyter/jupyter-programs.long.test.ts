import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { environment } from "../../environment/pythons.ts";
import { temporaryFolder } from "../../runtime/runtimes.ts";
import { notebookOf } from "./notebook-of.ts";
import { openDoor } from "./open-door.ts";

const run = promisify(execFile);
const found = environment("jupyterlab");
const python = "python" in found ? found.python : "";
const withJupyter = { PATH: `${dirname(python)}:/usr/bin:/bin`, VIRTUAL_ENV: dirname(dirname(python)) };
const door = "python" in found ? openDoor({ env: { ...process.env, ...withJupyter } }) : null;

/** Of the door, with its token, as Jupyter's gateway client needs it. */
async function address(): Promise<string> {
  const { port, token } = (await door) as NonNullable<Awaited<typeof door>>;
  return `http://127.0.0.1:${port}/token/${token}`;
}

describe.skipIf("missing" in found)("papermill through the door", () => {
  test("fills in parameters, and runs the cells", { timeout: 120_000 }, async () => {
    const folder = temporaryFolder();
    const parameters = {
      ...(notebookOf(["alpha = 1"]) as { cells: object[] }).cells[0],
      metadata: { tags: ["parameters"] },
    };
    const { cells, ...rest } = notebookOf(["print(alpha * 2)"]) as { cells: object[] };
    const path = join(folder, "in.ipynb");
    writeFileSync(path, JSON.stringify({ ...rest, cells: [parameters, ...cells] }));
    await run(python, ["-c", papermill, await address(), path, join(folder, "out.ipynb")]);
    const out = JSON.parse(readFileSync(join(folder, "out.ipynb"), "utf8"));
    expect(out.cells.at(-1).outputs).toMatchObject([{ output_type: "stream", text: ["42\n"] }]);
  });

  test("ends at the cell that fails, and keeps what ran before", { timeout: 120_000 }, async () => {
    const folder = temporaryFolder();
    const path = join(folder, "in.ipynb");
    writeFileSync(path, JSON.stringify(notebookOf(["print('before')", "1 / 0", "print('after')"])));
    const ran = run(python, ["-c", papermill, await address(), path, join(folder, "out.ipynb")]);
    await expect(ran).rejects.toThrow("PapermillExecutionError");
    const out = readFileSync(join(folder, "out.ipynb"), "utf8");
    expect(out).toContain("before\\n");
    expect(out).not.toContain("after\\n");
  });
});

const papermill = `
import sys
from jupyter_server.gateway.gateway_client import GatewayClient
import papermill

url, source, target = sys.argv[1:]
GatewayClient.instance().url = url
manager = "jupyter_server.gateway.managers.GatewayKernelManager"
papermill.execute_notebook(source, target, parameters={"alpha": 21}, progress_bar=False, kernel_manager_class=manager)
`;

/** What each is about does not end, or names a time; or it sends a result by hand through ipykernel's socket. */
const others = ["Autokill.ipynb", "Interrupt.ipynb", "Sleep1s.ipynb", "update-display-id.ipynb"];

describe.skipIf("missing" in found)("nbclient's own notebooks through the door", () => {
  let folder = "";
  beforeAll(async () => {
    const { stdout } = await run(python, ["-c", "import nbclient; print(nbclient.__version__)"]);
    const download = temporaryFolder();
    const source = ["download", "--quiet", "--no-deps", "--no-binary", "nbclient", `nbclient==${stdout.trim()}`];
    await run(python, ["-m", "pip", ...source, "--dest", download]);
    const [archive] = readdirSync(download).filter((name) => name.endsWith(".tar.gz"));
    await run("tar", ["xzf", join(download, archive as string), "-C", download]);
    folder = join(download, (archive as string).replace(".tar.gz", ""), "tests/files");
  }, 120_000);

  test("give the outputs that they give on ipykernel", { timeout: 600_000 }, async () => {
    const names = readdirSync(folder).filter((name) => name.endsWith(".ipynb") && !others.includes(name));
    expect(names.length).toBeGreaterThan(15);
    const script = fileURLToPath(new URL("nbclient_user.py", import.meta.url));
    const paths = names.map((name) => join(folder, name));
    const { stdout } = await run(python, [script, await address(), "both", ...paths], { maxBuffer: 1e8 });
    const told: Record<string, { door: unknown; ipykernel: unknown }> = JSON.parse(stdout);
    const differ = names.filter((name) => !isDeepStrictEqual(told[name]?.door, told[name]?.ipykernel));
    expect(Object.keys(told)).toEqual(names);
    expect(differ).toEqual([]);
  });
});
