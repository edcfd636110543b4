import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addressKind, ownAddresses } from "../../../src/sandbox/network/address-kind.ts";
import { HostGate } from "../../../src/sandbox/network/host-gate.ts";
import { indexHosts } from "../../../src/sandbox/network/index-hosts.ts";

const addresses: Readonly<Record<string, readonly string[]>> = {
  "pypi.org": ["151.101.0.223"],
  "deep.below.example.com": ["93.184.215.14"],
  "example.com": ["93.184.215.14"],
  "rebound.example.com": ["127.0.0.1"],
  "metadata.example.com": ["169.254.169.254"],
  "intranet.example.com": ["10.1.2.3"],
  "split.example.com": ["127.0.0.1", "192.0.2.7"],
  "mapped.example.com": ["::ffff:93.184.215.14"],
  "own6.example.com": ["2a01:4f8::10"],
  "mixed.example.com": ["::ffff:10.0.0.9", "93.184.215.14"],
};

function gateTo(hosts: readonly string[], index: { host: string; port: number }[] = [], own?: () => readonly string[]) {
  const asked: string[] = [];
  const resolve = async (name: string): Promise<readonly string[]> => {
    asked.push(name);
    return addresses[name] ?? [];
  };
  return { gate: new HostGate({ hosts, index, resolve, own }), asked };
}

describe("hosts that a sandbox may reach", () => {
  test("are those of the list, by their name or below it, in any case", async () => {
    const { gate } = gateTo(["pypi.org", "*.example.com"]);
    expect(await gate.ask("PyPI.org.", 443)).toEqual({ address: "151.101.0.223" });
    expect(await gate.ask("deep.below.example.com", 443)).toEqual({ address: "93.184.215.14" });
    for (const other of ["example.com", "evilpypi.org", "pypi.org.evil.net", "evil-example.com", "1.1.1.1"]) {
      expect(await gate.ask(other, 443)).toEqual({
        refusal: `The sandbox does not allow ${other}: python.sandboxNetwork allows only pypi.org, *.example.com.`,
      });
    }
  });

  test("are resolved once, to an address that was checked", async () => {
    const { gate, asked } = gateTo(["*.example.com"]);
    expect(await gate.ask("mixed.example.com", 443)).toEqual({ address: "93.184.215.14" });
    expect(asked).toEqual(["mixed.example.com"]);
    expect(await gate.ask("nowhere.example.com", 443)).toEqual({ refusal: "nowhere.example.com has no address." });
  });

  test("never lead to this machine or to the metadata of a cloud, even where the list says so", async () => {
    const { gate } = gateTo(["*.example.com", "127.0.0.1", "169.254.169.254", "::1"]);
    for (const host of ["rebound.example.com", "metadata.example.com", "127.0.0.1", "169.254.169.254", "::1"]) {
      expect(await gate.ask(host, 80)).toEqual({
        refusal: expect.stringMatching(/^python\.sandboxNetwork does not allow .* No list allows that\.$/),
      });
    }
  });

  test("lead to an address of this machine, also a public one, only where the list has the address itself", async () => {
    let own = ["127.0.0.1", "::1"];
    const { gate } = gateTo(["*.example.com", "127.0.0.1"], [], () => own);
    expect(await gate.ask("deep.below.example.com", 80)).toEqual({ address: "93.184.215.14" });
    // Networks come and go.
    own = [...own, "93.184.215.14", "2a01:4f8::10"];
    expect(await gate.ask("deep.below.example.com", 80)).toEqual({
      refusal:
        "python.sandboxNetwork does not allow deep.below.example.com: its address 93.184.215.14 is one of this machine. Add 93.184.215.14 itself to the list to allow it.",
    });
    for (const host of ["mapped.example.com", "own6.example.com", "rebound.example.com", "127.0.0.1"])
      expect(await gate.ask(host, 80)).toHaveProperty("refusal");
    const { gate: wider } = gateTo(["*.example.com", "93.184.215.14"], [], () => own);
    expect(await wider.ask("deep.below.example.com", 80)).toEqual({ address: "93.184.215.14" });
  });

  test("know the interfaces of the system", () => {
    const known = Object.values(networkInterfaces()).flatMap((of = []) => of.map(({ address }) => address));
    for (const address of known) {
      const kind = addressKind(address, ownAddresses());
      expect(["this machine", "link-local", "of an interface"]).toContain(kind);
    }
  });

  test("lead to a private or reserved address only where the list has the address itself", async () => {
    const { gate } = gateTo(["*.example.com"]);
    expect(await gate.ask("intranet.example.com", 80)).toEqual({
      refusal:
        "python.sandboxNetwork does not allow intranet.example.com: its address 10.1.2.3 is private. Add 10.1.2.3 itself to the list to allow it.",
    });
    expect(await gate.ask("split.example.com", 80)).toEqual({
      refusal:
        "python.sandboxNetwork does not allow split.example.com: its address 192.0.2.7 is reserved. Add 192.0.2.7 itself to the list to allow it.",
    });
    const { gate: wider } = gateTo(["*.example.com", "10.1.2.3", "192.0.2.7"]);
    expect(await wider.ask("intranet.example.com", 80)).toEqual({ address: "10.1.2.3" });
    expect(await wider.ask("split.example.com", 80)).toEqual({ address: "192.0.2.7" });
  });

  test("include the package index only while packages are installed, and only at its port", async () => {
    const { gate } = gateTo([], [{ host: "127.0.0.1", port: 3141 }]);
    const off = "The sandbox does not allow 127.0.0.1: python.sandboxNetwork is off.";
    expect(await gate.ask("127.0.0.1", 3141)).toEqual({ refusal: off });
    const done = gate.openIndex();
    expect(await gate.ask("127.0.0.1", 3141)).toEqual({ address: "127.0.0.1" });
    expect(await gate.ask("127.0.0.1", 22)).toEqual({ refusal: off });
    done();
    done();
    expect(await gate.ask("127.0.0.1", 3141)).toEqual({ refusal: off });
  });
});

test("the package index is that of the user, not of a file in the project", () => {
  const pypi = { host: "pypi.org", port: 443 };
  expect(indexHosts({}, "/nobody")).toContainEqual(pypi);
  const own = indexHosts(
    { PIP_INDEX_URL: "http://me:secret@devpi:3141/root/pypi", PIP_EXTRA_INDEX_URL: "https://b/ https://c" },
    "/nobody",
  );
  expect(own).toEqual([
    { host: "devpi", port: 3141 },
    { host: "b", port: 443 },
    { host: "c", port: 443 },
  ]);
});

describe("pip's configuration names the index", () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "granary-test-")));
    for (const name of ["home/.config/pip", "project/.config/pip"]) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, "project/.config/pip/pip.conf"), "[global]\nindex-url = http://127.0.0.1:22/simple\n");
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const hosts = (env = {}) =>
    indexHosts(env, join(folder, "home"), [join(folder, "project")]).map(({ host, port }) => `${host}:${port}`);
  const usual = ["pypi.org:443", "files.pythonhosted.org:443"];

  test("where it is the user's own", () => {
    writeFileSync(join(folder, "home/.config/pip/pip.conf"), "[global]\nindex-url = http://devpi:3141/simple\n");
    expect(hosts()).toEqual(["devpi:3141"]);
  });

  test("but not in a folder that code in a sandbox may write, nor behind a link into one", () => {
    expect(hosts({ XDG_CONFIG_HOME: join(folder, "project/.config") })).toEqual(usual);
    symlinkSync(join(folder, "project/.config/pip/pip.conf"), join(folder, "home/.config/pip/pip.conf"));
    expect(hosts()).toEqual(usual);
    symlinkSync(join(folder, "home"), join(folder, "project/back"));
    expect(hosts({ XDG_CONFIG_HOME: join(folder, "project/back/.config") })).toEqual(usual);
  });

  test("but not as a pipe, on which nobody waits", () => {
    execFileSync("mkfifo", [join(folder, "home/.config/pip/pip.conf")]);
    expect(hosts()).toEqual(usual);
  });
});

test("every address that is an IPv4 address in other clothes leads where that does", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      expect(addressKind(`::ffff:${hex}`)).toBe(addressKind(address));
      const inverted = `${((a << 8) | b) ^ 0xffff}:${((c << 8) | d) ^ 0xffff}`.replace(/\d+/g, (part) =>
        Number(part).toString(16),
      );
      const embedded = {
        translated: `::ffff:0:${hex}`,
        nat64: `64:ff9b::${hex}`,
        "local nat64": `64:ff9b:1::${hex}`,
        "6to4": `2002:${hex}::1`,
        "server of Teredo": `2001:0:${hex}::1`,
        "client of Teredo": `2001::${inverted}`,
      };
      for (const [how, one] of Object.entries(embedded))
        expect({ how, kind: addressKind(one) }).toEqual({ how, kind: "reserved" });
    }),
  );
  for (const outside of ["1.1.1.1", "2001:4860:4860::8888", "2606:4700:4700::1111", "2a00:1450::1"]) {
    expect({ outside, kind: addressKind(outside) }).toEqual({ outside, kind: "public" });
  }
  for (const inside of [
    "0.0.0.0",
    "127.9.9.9",
    "10.0.0.1",
    "172.31.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "fd12::1",
    "fe80::1",
    "::",
    "::1",
  ]) {
    expect({ inside, kind: addressKind(inside) }).not.toEqual({ inside, kind: "public" });
  }
});
