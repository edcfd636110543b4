import { expect, test } from "vitest";
import { KernelError } from "../../src/kernel/errors.ts";
import { HostCallError } from "../../src/kernel/host-call.ts";
import { GranaryError, isGranaryError } from "../../src/support/granary-error.ts";

test("an error has a code, a sentence, details and its cause", () => {
  const cause = new Error("ENOENT");
  const error = new GranaryError("missing-file", "There is none.", { details: { path: "/a.ipynb" }, cause });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: "GranaryError", code: "missing-file", message: "There is none.", cause });
  expect(error.details).toEqual({ path: "/a.ipynb" });
  expect(new GranaryError("busy", "Wait.").details).toEqual({});
  expect("cause" in new GranaryError("busy", "Wait.")).toBe(false);
});

test("isGranaryError recognizes the error and its subclasses, and with codes only those", () => {
  const error: unknown = new KernelError("busy", "Wait.");
  expect(error).toBeInstanceOf(GranaryError);
  expect(isGranaryError(error)).toBe(true);
  expect(isGranaryError(error, "protocol", "busy")).toBe(true);
  expect(isGranaryError(error, "protocol")).toBe(false);
});

test("isGranaryError recognizes errors from another copy of the package, as extensions bring one", async () => {
  const path = "../../src/support/granary-error.ts?another-copy";
  const another: typeof import("../../src/support/granary-error.ts") = await import(/* @vite-ignore */ path);
  const error = new another.GranaryError("busy", "Wait.");
  expect(error).not.toBeInstanceOf(GranaryError);
  expect(isGranaryError(error, "busy")).toBe(true);
});

test.each([
  null,
  undefined,
  "busy",
  7,
  {},
  new Error("busy"),
  Object.assign(new Error("no"), { code: "busy", details: {} }),
  new DOMException("stopped", "AbortError"),
])("isGranaryError says no to %s", (value) => {
  expect(isGranaryError(value)).toBe(false);
  expect(isGranaryError(value, "busy")).toBe(false);
});

test("a tool's own code is not mistaken for one of Granary's", () => {
  const error = new HostCallError("busy", "The printer is busy.", { structured: { printer: 3 } });
  expect(isGranaryError(error, "busy")).toBe(false);
  expect(error).toMatchObject({ code: "tool-failed", details: { code: "busy", structured: { printer: 3 } } });
});
