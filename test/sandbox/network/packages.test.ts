import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import type { ToolResult } from "../../../src/tools/definition/tool.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { environment } from "../../environment/pythons.ts";
import { firstFew } from "../../environment/variants.ts";
import { textOf } from "../../tools/contexts.ts";
import { World, whyNotTested } from "../world.ts";
import { makeWheel } from "./make-wheel.ts";

const withPip = environment("plain");
const python = "python" in withPip ? withPip.python : undefined;

/** A package index on this machine, as the user's settings of pip name it, with one package. */
const requests: string[] = [];
let index: Server;
let address: string;
beforeAll(async () => {
  const wheel = makeWheel("granary_sample", "1.0", "answer = 42\ndef main(): print(answer)\n");
  index = createServer(({ url = "" }, response) => {
    requests.push(url);
    if (url.endsWith(".whl")) response.end(wheel.content);
    else response.setHeader("content-type", "text/html").end(`<a href="/files/${wheel.name}">${wheel.name}</a>`);
  });
  await new Promise<void>((resolve) => index.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(index.address() as AddressInfo).port}/simple`;
});
afterAll(() => index.close());

/** Each pip takes seconds of processor time. */
for (const engine of firstFew(["landlock", "bwrap"] as const, 1)) {
  describe.skipIf(whyNotTested(engine) !== null || python === undefined)(
    `%pip install in ${engine}, without network`,
    () => {
      let world: World;
      beforeAll(() => {
        world = new World(true);
      });
      afterAll(() => world?.remove());
      const open = (interpreter = python, env = {}): Promise<Runtime> =>
        createRuntime({
          cwd: world.path("project"),
          env: {
            ...{ PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
            ...{ PIP_INDEX_URL: address, PIP_NO_CACHE_DIR: "1", ...env },
          },
          settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter } },
        });

      test("gets a package from the user's index, beside an environment that cannot be written", async () => {
        await using runtime = await open();
        const said = async (code: string): Promise<string> => (await runtime.session().run(code).result).output;
        expect(await said("import granary_sample")).toContain("%pip install granary-sample");
        expect(await said(`%pip install -q --disable-pip-version-check --root-user-action ignore granary_sample`)).toBe(
          "",
        );
        expect(await said("import granary_sample\ngranary_sample.answer")).toBe("42\n");
        expect(await said("!python -c 'import granary_sample; print(granary_sample.answer)'")).toBe("42\n");
      });

      test("shows it to commands, with its programs", async () => {
        await using runtime = await open();
        await using toolbox = await createToolbox({ runtime });
        const command = "granary-sample && python -c 'import granary_sample; print(granary_sample.answer)'";
        const { output } = await runtime.session().run(`!${command}\nprint(bash(${JSON.stringify(command)}))`).result;
        const ran = (await toolbox.find("bash")?.run({ command })) as ToolResult;
        expect([output.trim().split(/\n+/), textOf(ran)]).toEqual([["42", "42", "42", "42"], "42\n42"]);
      });

      test("keeps it for the next session of the folder, and for no other folder", async () => {
        await using runtime = await open();
        expect((await runtime.session().run("import granary_sample; granary_sample.answer").result).output).toBe(
          "42\n",
        );
        mkdirSync(world.path("other"), { recursive: true });
        const other = runtime.session("other", { cwd: world.path("other") });
        expect((await other.run("import granary_sample").result).output).toContain("No module named");
      });

      test("reaches the index only while it runs, and no other index", async () => {
        await using runtime = await open();
        const said = async (code: string): Promise<string> => (await runtime.session().run(code).result).output;
        const before = requests.length;
        expect(await said(`import urllib.request\nurllib.request.urlopen("${address}")`)).toContain(
          "Servers outside of the sandbox are not on its loopback",
        );
        expect(requests).toHaveLength(before);
        const elsewhere = await said("%pip install --retries 1 --index-url https://elsewhere.test nothing");
        expect(elsewhere).toContain("The sandbox does not allow elsewhere.test: python.sandboxNetwork is off.");
      });

      test("uses no proxy of the user's, neither of a variable nor of pip's configuration", async () => {
        const unreachable = "http://me:secret@127.0.0.1:9";
        mkdirSync(world.path("home/.config/pip"), { recursive: true });
        writeFileSync(world.path("home/.config/pip/pip.conf"), `[global]\nproxy = ${unreachable}\n`);
        await using runtime = await open(python, { PIP_PROXY: unreachable, npm_config_https_proxy: unreachable });
        const said = async (code: string): Promise<string> => (await runtime.session().run(code).result).output;
        const before = requests.length;
        await said("%pip install -q --retries 0 --force-reinstall --no-deps granary_sample");
        expect(requests.slice(before)).toContainEqual(expect.stringContaining(".whl"));
        expect(await said("import os\n[name for name in os.environ if 'secret' in os.environ[name]]")).toBe("[]\n");
        rmSync(world.path("home/.config/pip/pip.conf"));
      });

      test("installs into an environment of the working folder itself", async () => {
        execFileSync(python ?? "", [
          "-m",
          "venv",
          "--system-site-packages",
          "--without-pip",
          world.path("project/env"),
        ]);
        writeFileSync(world.path("project/env/marker"), "");
        await using runtime = await open(world.path("project/env/bin/python"));
        const cell =
          "%pip install -q --force-reinstall --no-deps granary_sample\nimport granary_sample\ngranary_sample.__file__";
        expect((await runtime.session().run(cell).result).output).toContain(world.path("project/env/lib"));
      });
    },
  );
}
