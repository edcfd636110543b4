// `input()` and `getpass()` ask the host. Without `answer` they get an empty reply and never hang.
import assert from "node:assert/strict";
import { startKernel } from "granary";

const kernel = await startKernel();
try {
  const code = `
from getpass import getpass
user = input("User: ")
key = getpass("Key: ")
print(user, len(key))
`;

  let printed = "";
  const answer = async (prompt: string, password: boolean): Promise<string> => {
    console.log(`Python asks: ${prompt}`);
    return password ? "secret" : "ada";
  };
  for await (const event of kernel.execute(code, { answer })) {
    if (event.type === "stream") printed += event.text;
  }

  assert.equal(printed, "ada 6\n");
} finally {
  await kernel.close();
}
