import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { py } from "../../kernel/py.ts";
import { runtimeIn, temporaryFolder } from "../runtimes.ts";

const folder = temporaryFolder();

test("after a crash, the result names what was open and did not come back", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  await using granary = await runtimeIn(folder, { checkpoints: "auto" });
  const session = granary.session();
  await session.run(py`
    import os, socket, sqlite3, subprocess, tempfile
    connection = socket.create_connection(("127.0.0.1", ${port}))
    db = sqlite3.connect("data.db"); _ = db.execute("create table t(a)"); _ = db.execute("insert into t values (1)")
    child = subprocess.Popen(["sleep", "60"])
    scratch = tempfile.TemporaryDirectory(dir=".")
    lines = open("lines.txt", "w+"); _ = lines.write("one\ntwo\n"); _ = lines.seek(0); first = lines.readline()
  `).result;
  const { notices } = await session.run("lines.read(); scratch.cleanup(); os.abort()").result;
  const [notice = ""] = notices;
  expect(notice).toMatch(
    /^Variables are as they were after cell 1\. Not restored: .*\. Files on disk stay as they are\.$/,
  );
  expect(notice).toContain(`the connection to 127.0.0.1:${port}`);
  expect(notice).toContain(`a transaction in ${folder}/data.db`);
  expect(notice).toMatch(/the child process \d+ \(sleep\)/);
  expect(notice).toMatch(/the temporary folder .*tmp\w+/);
  // A file is at the position that it had, and the rest of the state is there.
  expect((await session.run("lines.readline()").result).output).toBe("'two\\n'\n");
  server.close();
});
