import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { patternCovers } from "../../support/host-pattern.ts";
import { type AddressKind, addressKind, ownAddresses } from "./address-kind.ts";

/** A server that the user has named in pip's own configuration: it may be anywhere, also on this machine. */
export interface IndexHost {
  readonly host: string;
  readonly port: number;
}

export interface GateOptions {
  /** Patterns of `python.sandboxNetwork`. */
  readonly hosts: readonly string[];
  /** Hosts that are open while packages are installed. */
  readonly index: readonly IndexHost[];
  /** The system's by default. */
  readonly resolve?: ((name: string) => Promise<readonly string[]>) | undefined;
  /** The addresses of this machine's interfaces; the system's by default. */
  readonly own?: (() => readonly string[]) | undefined;
}

/** An address to connect to, or the sentence that refuses it. */
export type GateAnswer = { readonly address: string } | { readonly refusal: string };

/** Decides where programs in a sandbox may connect to. */
export class HostGate {
  readonly #options: GateOptions;
  #installations = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Opens the hosts of the index until the returned function is called. */
  openIndex(): () => void {
    this.#installations++;
    let isOpen = true;
    return () => {
      if (isOpen) this.#installations--;
      isOpen = false;
    };
  }

  /** A name is resolved once, and the caller connects to that address: a second answer could be another. */
  async ask(typed: string, port: number): Promise<GateAnswer> {
    const host = typed.toLowerCase().replace(/\.$/, "");
    const { hosts, index, resolve = resolveAll, own = ownAddresses } = this.#options;
    const isIndex = this.#installations > 0 && index.some((open) => open.host === host && open.port === port);
    if (!isIndex && !hosts.some((pattern) => patternCovers(pattern, host))) return { refusal: this.#notListed(host) };
    const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
    if (addresses.length === 0) return { refusal: `${host} has no address.` };
    if (isIndex) return { address: addresses[0] as string };
    const ours = own();
    const found = addresses.map((address) => ({ address, kind: addressKind(address, ours) }));
    const open = found.find(({ address, kind }) => kind === "public" || (mayBeListed(kind) && hosts.includes(address)));
    if (open !== undefined) return { address: open.address };
    const { address, kind } = found.find((one) => mayBeListed(one.kind)) ?? (found[0] as (typeof found)[0]);
    const remedy = mayBeListed(kind) ? `Add ${address} itself to the list to allow it.` : "No list allows that.";
    const problem = `its address ${address} is ${sayKind[kind]}`;
    return { refusal: `python.sandboxNetwork does not allow ${host}: ${problem}. ${remedy}` };
  }

  #notListed(host: string): string {
    const { hosts } = this.#options;
    const allowed = hosts.length === 0 ? "is off" : `allows only ${hosts.join(", ")}`;
    return `The sandbox does not allow ${host}: python.sandboxNetwork ${allowed}.`;
  }
}

function mayBeListed(kind: AddressKind): boolean {
  return kind === "private" || kind === "reserved" || kind === "of an interface";
}

const sayKind = {
  "this machine": "of this machine",
  "link-local": "of this machine's own network",
  "of an interface": "one of this machine",
  private: "private",
  reserved: "reserved",
  public: "public",
} as const;

async function resolveAll(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
