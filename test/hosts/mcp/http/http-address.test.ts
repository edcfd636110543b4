import fc from "fast-check";
import { expect, test } from "vitest";
import { allowedHostnames, inUrl, isLoopback, parseHttpAddress } from "../../../../src/hosts/mcp/http/http-address.ts";

test.each([
  ["127.0.0.1:3333", { host: "127.0.0.1", port: 3333 }],
  ["localhost:0", { host: "localhost", port: 0 }],
  ["[::1]:3333", { host: "::1", port: 3333 }],
  [":3333", { host: "127.0.0.1", port: 3333 }],
  ["3333", { host: "127.0.0.1", port: 3333 }],
  ["0.0.0.0:80", { host: "0.0.0.0", port: 80 }],
  ["", null],
  ["localhost", null],
  ["localhost:", null],
  ["localhost:99999", null],
  ["::1:3333", null],
  ["[nonsense]:1", null],
  ["http://localhost:1", null],
])("%j is %j", (typed, address) => {
  expect(parseHttpAddress(typed)).toEqual(address);
});

test("a written address can be read again", () => {
  const host = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain());
  fc.assert(
    fc.property(host, fc.nat(65_535), (host, port) => {
      expect(parseHttpAddress(`${inUrl(host)}:${port}`)).toEqual({ host, port });
    }),
  );
});

test("loopback is this machine only", () => {
  expect(["127.0.0.1", "127.8.8.8", "localhost", "::1"].every(isLoopback)).toBe(true);
  expect(["0.0.0.0", "::", "192.168.1.4", "example.com", "127.evil.example"].some(isLoopback)).toBe(false);
});

test("clients use the bound name, or an allowed one", () => {
  expect(allowedHostnames("127.0.0.1", [])).toEqual(["localhost", "127.0.0.1", "[::1]"]);
  expect(allowedHostnames("192.168.1.4", ["granary.example"])).toEqual(["192.168.1.4", "granary.example"]);
  expect(allowedHostnames("0.0.0.0", [])).toContain("127.0.0.1");
});
