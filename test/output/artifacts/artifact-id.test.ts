import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  artifactAddress,
  artifactId,
  parseArtifactAddress,
  parseArtifactId,
  sessionLabel,
} from "../../../src/output/artifacts/artifact-id.ts";
import { unicodeText } from "../../unicode-text.ts";

describe("a session's name in ids", () => {
  test.each(["agent-1", "a", "0", "main_2", "3f0c1c2e-9a54-4d3c-8f1e-5f6b7a8c9d0e"])("%j stays as it is", (session) => {
    expect(sessionLabel(session)).toBe(session);
  });

  test.each([
    ["", "session"],
    ["..", "session"],
    ["../../etc/passwd", "etc-passwd"],
    ["/data/My Project", "data-my-project"],
    ["Agent", "agent"],
    ["agent-", "agent"],
    ["--help", "help"],
    ["café ☕", "cafe"],
    ["日本語", "session"],
    ["x".repeat(10_000), "x".repeat(24)],
    ["a\0b\n$(rm -rf ~)", "a-b-rm-rf"],
  ])("%j becomes readable and safe", (session, readable) => {
    expect(sessionLabel(session)).toMatch(new RegExp(`^${readable}\\.[0-9a-f]{16}$`));
  });

  const anyName = fc.oneof(
    unicodeText(),
    fc.string({ unit: fc.constantFrom("a", "A", "-", ".", "/", "é", "\ud800", "\udc00") }),
  );

  test("is safe in a shell, in a URL and as a file name for any session, and always the same", () => {
    fc.assert(
      fc.property(anyName, (session) => {
        const label = sessionLabel(session);
        expect(label).toMatch(/^[a-z0-9][a-z0-9_.-]{0,63}$/);
        expect(sessionLabel(session)).toBe(label);
      }),
    );
  });

  test("is never that of another session, even if that one is called so on purpose", () => {
    fc.assert(
      fc.property(anyName, anyName, (one, other) => {
        fc.pre(one !== other);
        expect(sessionLabel(one).toLowerCase()).not.toBe(sessionLabel(other).toLowerCase());
      }),
    );
    expect(sessionLabel(sessionLabel("Agent"))).not.toBe(sessionLabel("Agent"));
    expect(sessionLabel("\ud800")).not.toBe(sessionLabel("\ud801"));
  });

  test("and a number can be taken apart again, also from an address", () => {
    fc.assert(
      fc.property(anyName, fc.integer({ min: 1, max: 1_000_000_000 }), (session, number) => {
        const id = artifactId(sessionLabel(session), number);
        expect(parseArtifactId(id)).toEqual({ label: sessionLabel(session), number });
        expect(parseArtifactAddress(artifactAddress(id))).toBe(id);
        expect(parseArtifactAddress(id)).toBe(id);
        expect(new URL(artifactAddress(id)).href).toBe(artifactAddress(id));
      }),
    );
  });
});

test.each([
  "",
  "agent",
  "agent-0",
  "agent-01",
  "-1",
  "../agent-1",
  "agent/../agent-1",
  "agent-1.txt",
  "artifact://",
  "artifact://agent-1/../../x-1",
  "artifact://artifact://agent-1",
  "file:///agent-1",
  "agent-1\n",
  "agent-1\0",
  "AGENT-1",
])("%j is no address", (text) => {
  expect(parseArtifactAddress(text)).toBeNull();
});
