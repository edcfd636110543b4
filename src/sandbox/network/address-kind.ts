import { BlockList, isIP } from "node:net";

/** Blocks of addresses that do not lead to the internet, as `first/bits`. */
const blocks = {
  "this machine": ["0.0.0.0/8", "127.0.0.0/8", "::/96"],
  // Clouds answer there with the credentials of the machine.
  "link-local": ["169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128", "100.100.100.200/32", "168.63.129.16/32"],
  private: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fec0::/10"],
  // Documentation, tests, several at once, and addresses that stand for others.
  reserved: [
    ...["192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"],
    ...["64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/32", "2001:db8::/32", "2002::/16", "ff00::/8"],
  ],
} as const;

export type AddressKind = keyof typeof blocks | "public";

const lists = Object.entries(blocks).map(([kind, ranges]) => [kind as AddressKind, listOf(ranges)] as const);

/** Where an address leads. An IPv4 address in the notation of IPv6 leads where it does without. */
export function addressKind(address: string): AddressKind {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  return lists.find(([, list]) => list.check(address, family))?.[0] ?? "public";
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [first = "", bits] = range.split("/");
    list.addSubnet(first, Number(bits), first.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
