import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listeningSockets } from "../../src/sandbox/listening-sockets.ts";

test.runIf(process.platform === "linux")("finds sockets on which programs listen, by any path", async () => {
  const folder = mkdtempSync(join(tmpdir(), "s-"));
  const paths = ["plain", "two  spaces", "a\rreturn", "line\u2028separator"].map((name) => join(folder, name));
  const servers = await Promise.all(
    paths.map(async (path) => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(path, resolve));
      return server;
    }),
  );
  try {
    expect(
      listeningSockets()
        .filter((path) => path.startsWith(folder))
        .sort(),
    ).toEqual(paths.sort());
  } finally {
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test.runIf(process.platform === "linux")("a name that looks like a line of the list hides nothing", async () => {
  const line = "0000000000000000: 00000002 00000000 00010000 0001 01 1 /usr";
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`\0x\n${line}\n`, resolve));
  try {
    expect(readFileSync("/proc/net/unix", "latin1").split("\n")).toContain(line);
    expect(listeningSockets()).not.toContain("/usr");
  } finally {
    server.close();
  }
});
