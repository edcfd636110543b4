import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DoorUser } from "../hosts/jupyter/door-user.ts";
import { whyNotTested } from "../sandbox/world.ts";
import { TestHub } from "./test-hub.ts";

test("granary hub jupyter prints the address of a door to the hub's sessions, and nothing else", async () => {
  await using hub = new TestHub();
  await hub.run("etl", "rows = 3");
  const { stdout, stderr, exitCode } = await hub.granary(["hub", "jupyter"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{48}\n$/);
  expect((await hub.granary(["hub", "jupyter"])).stdout).toBe(stdout);

  const address = new URL(stdout);
  const [port, token] = [Number(address.port), address.searchParams.get("token") as string];
  const listed = await fetch(`http://127.0.0.1:${port}/api/sessions?token=${token}`).then((response) =>
    response.json(),
  );
  const etl = (listed as { name: string; kernel: { id: string } }[]).find(({ name }) => name === "etl");
  const user = await DoorUser.connect({ port, token }, etl?.kernel.id ?? "");
  await user.run("rows += 1\nprint(rows)");
  expect(user.messages.map(({ content }) => content.text)).toContain("4\n");
  expect(await hub.run("etl", "rows")).toContain("4");
  const { sessions } = (await hub.status()) ?? { sessions: [] };
  expect(sessions.find(({ name }) => name === "etl")?.clients).toContain("Jupyter");
  const history = await hub.granary(["sessions", "show", "etl", "--json"]);
  expect(history.stdout).toContain('"Jupyter"');
  await user.close();
});

test.skipIf(whyNotTested("bwrap") !== null && whyNotTested("landlock") !== null)(
  "a sandbox that the user turns on while the hub runs is that of kernels that editors start from then on",
  async () => {
    await using hub = new TestHub();
    const { stdout } = await hub.granary(["hub", "jupyter"]);
    const address = new URL(stdout);
    const start = async (name: string): Promise<void> => {
      const body = { path: join(hub.folder, name), name, type: "notebook", kernel: { name: "python3" } };
      const { status } = await fetch(`${address.origin}/api/sessions${address.search}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(status).toBe(201);
    };
    const outside = join(hub.home, "outside");
    const write = `try: open(${JSON.stringify(outside)}, "w")\nexcept OSError: print("refused")\nelse: print("written")`;
    await start("before.ipynb");
    writeFileSync(join(hub.home, "settings.json"), JSON.stringify({ "python.sandbox": "workspace" }));
    await start("after.ipynb");
    writeFileSync(join(hub.home, "settings.json"), "{}");
    await start("off.ipynb");
    expect(await hub.run("after.ipynb", write)).toContain("refused");
    expect(await hub.run("before.ipynb", write)).toBe("written");
    expect(await hub.run("off.ipynb", write)).toBe("written");
  },
);

test("granary hub jupyter without the hub is wrong usage", async () => {
  await using hub = new TestHub();
  const { stdout, stderr, exitCode } = await hub.granary(["hub", "jupyter"], { env: { GRANARY_HUB: "never" } });
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
  expect(stderr).toContain("GRANARY_HUB is never");
});
