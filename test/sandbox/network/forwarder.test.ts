import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { HostGate } from "../../../src/sandbox/network/host-gate.ts";
import { listenForSandbox } from "../../../src/sandbox/network/listen.ts";

test.runIf(process.platform === "linux")(
  "programs reach the proxy again after one of them has used up the descriptors of the forwarder",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-forward-"));
    const network = await listenForSandbox(join(folder, "s"), new HostGate({ hosts: [], index: [] }));
    const code = `
import os, resource, socket, urllib.error, urllib.request
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
port = int(os.environ["HTTPS_PROXY"].rpartition(":")[2])
many = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]
for one in many:
    one.close()
try:
    urllib.request.urlopen("http://host.test/", timeout=20)
except urllib.error.HTTPError as answer:
    print(answer.reason)
`;
    const forwarder = ["-I", "-S", inRepository("python/granary_forward.py"), join(folder, "s"), "hosts"];
    const limited = ["-c", 'ulimit -Sn 40; exec "$@"', "sh", "/usr/bin/python3", ...forwarder];
    try {
      const { stdout } = await promisify(execFile)("/bin/sh", [...limited, "/usr/bin/python3", "-c", code]);
      expect(stdout).toBe("The sandbox does not allow host.test: python.sandboxNetwork is off.\n");
    } finally {
      network.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
