import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import { newestPython } from "../../environment/pythons.ts";
import { py } from "../../kernel/py.ts";
import { skipReason, World, whyNotTested } from "../world.ts";

/** An address of this machine that is not loopback: a list may have it. */
const own = Object.values(networkInterfaces())
  .flat()
  .find((found) => found?.family === "IPv4" && !found.internal && !found.address.startsWith("169.254"))?.address;

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((request, response) =>
    response.end(`${request.method} ${request.url} ${request.headers.host}`),
  );
  await new Promise<void>((resolve) => server.listen(0, resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

for (const engine of ["landlock", "bwrap"] as const) {
  const where = `${engine}${skipReason(engine)}`;
  describe.skipIf(whyNotTested(engine) !== null || own === undefined)(`a list of hosts in ${where}`, () => {
    let world: World;
    let runtime: Runtime;
    beforeAll(async () => {
      world = new World(true);
      runtime = await createRuntime({
        cwd: world.path("project"),
        env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
        settings: {
          python: {
            sandbox: engine === "bwrap" ? "strict" : "workspace",
            sandboxEngine: engine,
            sandboxNetwork: [own ?? "", "localhost"],
            interpreter: newestPython().path,
          },
        },
      });
    });
    afterAll(async () => {
      await runtime?.close();
      world?.remove();
    });
    const said = async (code: string): Promise<string> => (await runtime.session().run(code).result).output;

    test("lets programs reach these hosts, with HTTP and through a tunnel", async () => {
      const code = py`
        import http.client, os, urllib.request
        print(urllib.request.urlopen("http://${own ?? ""}:${port}/a?b").read().decode())
        proxy = os.environ["HTTPS_PROXY"].rpartition(":")[2]
        tunnel = http.client.HTTPConnection("127.0.0.1", int(proxy))
        tunnel.set_tunnel("${own ?? ""}", ${port})
        tunnel.request("POST", "/c", b"x" * 100_000)
        print(tunnel.getresponse().read().decode())
      `;
      expect(await said(code)).toBe(`GET /a?b ${own}:${port}\nPOST /c ${own}:${port}\n`);
    });

    test("refuses all others with a sentence that names the setting", async () => {
      const sentence = `The sandbox does not allow example.com: python.sandboxNetwork allows only ${own}, localhost.`;
      expect(await said("urllib.request.urlopen('http://example.com/')")).toContain(`HTTP Error 403: ${sentence}`);
      expect(await said("urllib.request.urlopen('https://example.com/')")).toContain(`403 ${sentence}`);
      expect(await said(`urllib.request.urlopen('http://localhost.:${port}/')`)).toContain(
        "python.sandboxNetwork does not allow localhost: its address",
      );
      expect(await said("import socket\nsocket.create_connection(('1.1.1.1', 80), 2)")).toContain(
        "The sandbox reaches only the hosts in python.sandboxNetwork, and only through the proxy in HTTPS_PROXY.",
      );
    });

    // As old and new ones of curl and git say.
    test.each(["CONNECT tunnel failed, response 403", "Received HTTP code 403 from proxy after CONNECT"])(
      "an error of a command names the setting, where the command says: %s",
      async (words) => {
        const command = `["sh", "-c", "echo 'curl: (56) ${words}' >&2; exit 56"]`;
        expect(await said(`import subprocess\nsubprocess.run(${command}, check=True, capture_output=True)`)).toContain(
          "The sandbox reaches only the hosts in python.sandboxNetwork",
        );
      },
    );

    test("a cell that talks to the proxy itself gets no further", async () => {
      const code = py`
        def ask(*lines):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(os.environ["GRANARY_PROXY"])
            connection.sendall("\r\n".join([*lines, "", ""]).encode())
            return connection, connection.recv(4096).decode().split("\r\n")[0][:12]
        port = ${port}
        print({
            request: ask(request + " HTTP/1.1", "Host: ${own ?? ""}:" + str(port))[1]
            for request in [
                f"CONNECT 127.0.0.1:{port}", f"CONNECT [::1]:{port}", f"CONNECT [::ffff:127.0.0.1]:{port}", f"CONNECT 0x7f.1:{port}",
                f"CONNECT 2130706433:{port}", f"CONNECT localhost:{port}", f"CONNECT 0.0.0.0:{port}", "CONNECT 169.254.169.254:80",
                "CONNECT", "CONNECT a", f"CONNECT ${own ?? ""}@127.0.0.1:{port}", f"GET http://127.0.0.1:{port}/",
                f"GET http://${own ?? ""}@127.0.0.1:{port}/", f"GET http://0x7f000001:{port}/", f"GET http://[::1]:{port}/", "GET /",
            ]
        })
        held, answer = ask("GET /granary/index HTTP/1.1", "Host: x")
        print(answer, ask(f"CONNECT 127.0.0.1:{port} HTTP/1.1")[1])
      `;
      const text = await said(code);
      expect(text.match(/HTTP\/1\.1 (\d+)/g)?.filter((status) => !/ 40[03]/.test(status))).toEqual(["HTTP/1.1 200"]);
      expect(text.match(/HTTP\/1\.1 40[03]/g)).toHaveLength(17);
    });

    test("Python ends as without it", async () => {
      const session = runtime.session("other");
      const { failure } = await session.run("import os\nos._exit(3)").result;
      expect(failure?.message).toContain("exit code 3");
      const killed = await session.run("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)").result;
      expect(killed.failure?.message).toContain("SIGKILL");
      await session.run("x = 42").result;
      const endless = session.run("import time\ntime.sleep(600)", { timeoutMs: 500 });
      expect(await endless.result).toMatchObject({ status: "timeout", ledger: { state: "interrupted" } });
      expect((await session.run("x").result).output).toBe("42\n");
    });
  });
}
