import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { granaryHome } from "../../src/settings/granary-home.ts";

test.each([
  ["nothing", {}, join(homedir(), ".granary")],
  ["an empty GRANARY_HOME", { GRANARY_HOME: "" }, join(homedir(), ".granary")],
  ["another home folder", { HOME: "/users/ada" }, "/users/ada/.granary"],
  ["an empty home folder", { HOME: "" }, join(userInfo().homedir, ".granary")],
  ["a relative home folder", { HOME: "relative" }, join(userInfo().homedir, ".granary")],
  ["a path", { GRANARY_HOME: "/var/granary/" }, "/var/granary"],
  ["a path in the home folder", { HOME: "/users/$&", GRANARY_HOME: "~/grains" }, "/users/$&/grains"],
  ["the home folder itself", { HOME: "/users/ada", GRANARY_HOME: "~" }, "/users/ada"],
])("Granary's folder, given %s", (_what, env, folder) => {
  expect(granaryHome(env)).toBe(folder);
});

test.each([".granary", "./grains", "~ada"])("no folder can be Granary's by GRANARY_HOME=%s", (GRANARY_HOME) => {
  expect(() => granaryHome({ GRANARY_HOME })).toThrow(
    `GRANARY_HOME is "${GRANARY_HOME}", which is another folder in each working folder. Set it to a full path`,
  );
});
