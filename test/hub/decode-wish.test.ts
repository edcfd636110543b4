import { expect, test } from "vitest";
import { decodeWish } from "../../src/hub/server/decode-wish.ts";

const wish = {
  ...{
    key: "k",
    session: "s",
    label: "l",
    client: { pid: 1, began: null },
    cwd: "/",
    env: { A: "b" },
    resultBytes: null,
  },
};

test("a whole request for an agent is taken as it is", () => {
  expect(decodeWish(wish)).toBe(wish);
});

// Each of these ended the hub, or one of its agents, when it was believed.
test.each([
  ["no object", null],
  ["no client", { ...wish, client: undefined }],
  ["a client that is no process", { ...wish, client: { pid: "1", began: null } }],
  ["no environment", { ...wish, env: undefined }],
  ["a variable that is no text", { ...wish, env: { A: 1 } }],
  ["a folder that is no text", { ...wish, cwd: ["/"] }],
  ["settings that are no object", { ...wish, settings: [] }],
])("is refused: %s", (_, value) => {
  expect(() => decodeWish(value)).toThrow(expect.objectContaining({ code: "hub-protocol" }));
});
