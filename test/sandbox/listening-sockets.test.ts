import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
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

test.runIf(process.platform === "linux")(
  "finds sockets that take datagrams, and those of packets in order",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "s-"));
    const code = [
      "import os, socket, sys",
      "kept = [socket.socket(socket.AF_UNIX, kind) for kind in (socket.SOCK_DGRAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_STREAM)]",
      "for name, one in zip(('datagrams', 'connected', 'packets', 'only bound'), kept): one.bind(os.path.join(sys.argv[1], name))",
      "kept[1].connect(os.path.join(sys.argv[1], 'datagrams'))",
      "kept[2].listen()",
      "print('ready', flush=True)",
      "sys.stdin.read()",
    ].join("\n");
    const program = spawn("/usr/bin/python3", ["-c", code, folder], { stdio: ["pipe", "pipe", "inherit"] });
    try {
      await once(program.stdout, "data");
      expect(
        listeningSockets()
          .filter((path) => path.startsWith(folder))
          .sort(),
      ).toEqual(["connected", "datagrams", "packets"].map((name) => join(folder, name)));
    } finally {
      program.stdin.end();
      await once(program, "close");
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test.runIf(process.platform === "linux")(
  "names the folder around a socket whose path no engine takes, and refuses where that folder is needed",
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "s-")));
    const code = [
      "import os, socket, sys",
      "kept = []",
      "for name in (b'latin/caf\\xe9/s', b'lines/a\\nb/s', b'both/x\\n\\xe9'):",
      "    path = os.path.join(os.fsencode(sys.argv[1]), name)",
      "    os.makedirs(os.path.dirname(path))",
      "    kept.append(socket.socket(socket.AF_UNIX)); kept[-1].bind(path); kept[-1].listen()",
      "print('ready', flush=True)",
      "sys.stdin.read()",
    ].join("\n");
    const program = spawn("/usr/bin/python3", ["-c", code, folder], { stdio: ["pipe", "pipe", "inherit"] });
    const around = ["both", "latin", "lines"].map((name) => join(folder, name));
    const found = (apart: readonly string[], needed: readonly string[]) =>
      listeningSockets({ apart, needed })
        .filter((path) => path.startsWith(folder))
        .sort();
    try {
      await once(program.stdout, "data");
      expect(found([], [])).toEqual(around);
      expect(found([folder], [join(folder, "lines/project")])).toEqual([]);
      expect(() => found([], [join(folder, "lines/project")])).toThrow(
        `and programs inside need the folder ${join(folder, "lines")} around it. Nothing was started.`,
      );
    } finally {
      program.stdin.end();
      await once(program, "close");
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

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
