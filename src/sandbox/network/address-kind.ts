import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** Blocks of addresses that do not lead to the internet, as `first/bits`. */
const blocks = {
  "this machine": ["0.0.0.0/8", "127.0.0.0/8", "::/96"],
  // Clouds answer there with the credentials of the machine.
  "link-local": ["169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128", "100.100.100.200/32", "168.63.129.16/32"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fec0::/10"],
  // Documentation, tests, several at once, and addresses that stand for others.
  reserved: [
    ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
    ...["224.0.0.0/3", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32"],
    ...["2002::/16", "3fff::/20", "5f00::/16", "ff00::/8"],
  ],
} as const;

export type AddressKind = keyof typeof blocks | "of an interface" | "public";

const lists = Object.entries(blocks).map(([kind, ranges]) => [kind as AddressKind, listOf(ranges)] as const);

/**
 * Where an address leads. An IPv4 address in the notation of IPv6 leads where it does without.
 * @param own the addresses of this machine's interfaces
 */
export function addressKind(address: string, own: readonly string[] = []): AddressKind {
  const family = familyOf(address);
  const kind = lists.find(([, list]) => list.check(address, family))?.[0] ?? "public";
  if (kind === "this machine" || kind === "link-local") return kind;
  const interfaces = new BlockList();
  for (const one of own) interfaces.addAddress(one, familyOf(one));
  return interfaces.check(address, family) ? "of an interface" : kind;
}

/** Also public ones: a server for all interfaces answers on each of them. Networks come and go, so the answer is not kept. */
export function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((of = []) => of.map(({ address }) => address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [first = "", bits] = range.split("/");
    list.addSubnet(first, Number(bits), first.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
