import { describe, expect, test } from "vitest";
import { chooseEngine } from "../../../src/sandbox/engine.ts";
import { seatbeltProfile } from "../../../src/sandbox/macos/seatbelt-profile.ts";
import { allows, readForms, rulesOf } from "./read-profile.ts";

const plan = {
  network: "off",
  write: ["/Users/ada/project", "/private/var/folders/x/tmp", "/Users/ada/.granary/sandbox/1"],
  show: ["/opt/homebrew", "/Users/ada/.granary/python-env"],
  hide: ["/Users/ada/.ssh", "/Users/ada/.granary", "/private/tmp", "/Users/ada/project/.secret"],
  readOnly: ["/Users/ada/project/.git/hooks", "/Users/ada/project/.envrc"],
  anchors: ["/Users/ada/project/.git"],
} as const;

describe("the profile for sandbox-exec", () => {
  const profile = seatbeltProfile(plan);
  const reads = (path: string): boolean => allows(profile, "file-read-data", path);
  const writes = (path: string): boolean => allows(profile, "file-write-data", path);

  test("denies what no rule allows", () => {
    expect(rulesOf(profile.text)[0]).toEqual({ allows: false, operations: ["default"], filters: [] });
    expect(profile.text).not.toContain("(allow default)");
    for (const operation of ["network-outbound", "mach-lookup", "file-link", "iokit-open", "appleevent-send"]) {
      expect({ operation, is: allows(profile, operation, "/anything") }).toEqual({ operation, is: false });
    }
  });

  test("reads everything but secrets, and the parts of hidden folders that programs need", () => {
    for (const path of [
      "/usr/lib/x",
      "/Users/ada/notes",
      "/Users/ada/project/a",
      "/Users/ada/.granary/python-env/bin/python",
    ]) {
      expect({ path, is: reads(path) }).toEqual({ path, is: true });
    }
    for (const path of [
      "/Users/ada/.ssh",
      "/Users/ada/.ssh/id",
      "/Users/ada/.granary/token",
      "/private/tmp/x",
      "/Users/ada/project/.secret/x",
      "/dev/ttys001",
    ]) {
      expect({ path, is: reads(path) }).toEqual({ path, is: false });
    }
    expect(allows(profile, "file-read-metadata", "/Users/ada/.granary")).toBe(true);
    expect(reads("/Users/ada/.granary")).toBe(false);
  });

  test("writes only the working folder, without the files that run later outside", () => {
    for (const path of [
      "/Users/ada/project/a",
      "/private/var/folders/x/tmp/a",
      "/Users/ada/.granary/sandbox/1/a",
      "/dev/null",
    ]) {
      expect({ path, is: writes(path) }).toEqual({ path, is: true });
    }
    for (const path of [
      "/Users/ada/a",
      "/Users/ada/projects",
      "/Users/ada/project/.git/hooks/x",
      "/Users/ada/project/.envrc",
      "/Users/ada/.granary/a",
      "/opt/homebrew/a",
      "/Users/ada/project/.secret/x",
    ]) {
      expect({ path, is: writes(path) }).toEqual({ path, is: false });
    }
    expect(writes("/Users/ada/project/.git/HEAD")).toBe(true);
    expect(allows(profile, "file-write-unlink", "/Users/ada/project/.git")).toBe(false);
    expect(allows(profile, "file-write-unlink", "/Users/ada/project")).toBe(false);
    expect(allows(profile, "file-write-unlink", "/Users/ada/project/other")).toBe(true);
  });

  test("connects to sockets of the working folder alone, also with the network", () => {
    for (const network of ["off", "on"] as const) {
      const given = seatbeltProfile({ ...plan, network });
      expect(allows(given, "network-outbound", "/Users/ada/project/own.sock")).toBe(true);
      expect(allows(given, "network-outbound", "/var/run/docker.sock")).toBe(false);
      expect(allows(given, "network-outbound", "/Users/ada/project/.secret/agent")).toBe(false);
    }
    expect(profile.text).not.toContain("(remote ip");
    expect(seatbeltProfile({ ...plan, network: "on" }).text).toContain('(allow network-outbound (remote ip "*:*"))');
  });

  test.each([
    ["quotes", '"))(allow default)(deny file-write* (literal "'],
    ["a backslash at the end", "\\"],
    ["a line break", "\n(allow default)\n"],
    ["a comment", ";"],
    ["an equals sign, as between a parameter and its value", "HIDE_0=/"],
    ["characters beyond ASCII", "é日本\u2028\u{1f600}"],
    ["a dash, as of an option", "-p"],
  ])("has no path in its text: %s in names changes no rule", (_, name) => {
    const hostile = (paths: readonly string[]) => paths.map((path) => `${path}/${name}`);
    const given = {
      network: "off",
      ...{ write: hostile(plan.write), show: hostile(plan.show), hide: hostile(plan.hide) },
      ...{ readOnly: hostile(plan.readOnly), anchors: hostile(plan.anchors) },
    } as const;
    const { text, parameters } = seatbeltProfile(given);
    const plain = seatbeltProfile({
      network: "off",
      ...{ write: plan.write.map(beside), show: plan.show.map(beside), hide: plan.hide.map(beside) },
      ...{ readOnly: plan.readOnly.map(beside), anchors: plan.anchors.map(beside) },
    });
    expect(text).toBe(plain.text);
    expect(readForms(text).length).toBeGreaterThan(10);
    expect(Object.values(parameters)).toContain(`/Users/ada/.ssh/${name}`);
    expect(Object.keys(parameters).every((key) => /^[A-Z]+_\d+$/.test(key))).toBe(true);
  });
});

function beside(path: string): string {
  return `${path}/x`;
}

test("macOS has one engine, for workspace", async () => {
  const wish = { mode: "workspace", engine: "auto", cwd: "/nowhere", env: { PATH: "/usr/bin" } } as const;
  expect(await chooseEngine({ ...wish, mode: "strict" }, "darwin")).toMatchObject({
    name: null,
    remedy: "Use workspace.",
  });
  expect(await chooseEngine({ ...wish, engine: "bwrap" }, "darwin")).toMatchObject({ reason: "bwrap is for Linux." });
  expect(await chooseEngine({ ...wish, engine: "sandbox-exec" }, "linux")).toMatchObject({
    reason: "sandbox-exec is for macOS.",
  });
  const found = await chooseEngine(wish, "darwin");
  if (process.platform === "darwin") expect(found).toMatchObject({ name: "sandbox-exec" });
  else
    expect(found).toMatchObject({
      name: null,
      reason: expect.stringContaining("sandbox-exec"),
      remedy: expect.stringContaining("python.launcher"),
    });
});
