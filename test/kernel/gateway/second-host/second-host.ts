import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const sshPort = "2222";
const user = "ada";

/** Why there can be no second host here; null when there can. */
export function whyNoSecondHost(): string | null {
  const { status, error } = spawnSync("ip", ["netns", "add", probe]);
  if (status !== 0) return `network namespaces cannot be made here${error ? " (there is no ip)" : " (root can)"}`;
  spawnSync("ip", ["netns", "delete", probe]);
  return null;
}

const probe = `granary-probe-${process.pid}`;

/** Another host for the network: a separate namespace with an SSH server. */
export class SecondHost {
  readonly address: string;
  /** The address by which it reaches this host. */
  readonly ours: string;
  /** For Enterprise Gateway: how to log in there, and a kernelspec that starts kernels there. */
  readonly variables: Readonly<Record<string, string>>;
  readonly #namespace: string;
  readonly #folder: string;
  #server: ChildProcess | undefined;

  private constructor(python: string) {
    const number = process.pid % 250;
    this.#namespace = `granary-${process.pid}`;
    this.ours = `10.213.${number}.1`;
    this.address = `10.213.${number}.2`;
    this.#folder = mkdtempSync(join(tmpdir(), "granary-second-host-"));
    // Its own home, for the list of hosts whose keys are known.
    mkdirSync(join(this.#folder, ".ssh"));
    chmodSync(this.#folder, 0o755);
    const spec = join(this.#folder, "kernels", "second_host");
    mkdirSync(spec, { recursive: true });
    writeFileSync(join(spec, "kernel.json"), JSON.stringify(kernelspec(python, this.address)));
    this.variables = {
      HOME: this.#folder,
      JUPYTER_PATH: this.#folder,
      EG_SSH_PORT: sshPort,
      EG_REMOTE_USER: user,
      EG_REMOTE_PWD: "secret",
      EG_RESPONSE_IP: this.ours,
      EG_KERNEL_LOG_DIR: this.#folder,
    };
  }

  static async start(python: string): Promise<SecondHost> {
    const host = new SecondHost(python);
    try {
      host.#connect();
      await host.#serve(python);
      return host;
    } catch (error) {
      await host.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#server && this.#server.exitCode === null) {
      this.#server.stdin?.end();
      await once(this.#server, "exit");
    }
    // Running processes would keep the namespace.
    const { stdout } = spawnSync("ip", ["netns", "pids", this.#namespace], { encoding: "utf8" });
    for (const pid of (stdout ?? "").split("\n").filter(Boolean)) spawnSync("kill", ["-KILL", pid]);
    spawnSync("ip", ["netns", "delete", this.#namespace]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #connect(): void {
    const namespace = this.#namespace;
    const [near, far] = [`gran${process.pid}a`, `gran${process.pid}b`];
    const ip = (...args: string[]): void => void execFileSync("ip", args);
    ip("netns", "add", namespace);
    ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", namespace);
    ip("address", "add", `${this.ours}/30`, "dev", near);
    ip("link", "set", near, "up");
    ip("-n", namespace, "address", "add", `${this.address}/30`, "dev", far);
    ip("-n", namespace, "link", "set", far, "up");
    ip("-n", namespace, "link", "set", "lo", "up");
  }

  async #serve(python: string): Promise<void> {
    const knownHosts = join(this.#folder, ".ssh", "known_hosts");
    const server = [python, here("ssh_server.py"), this.address, sshPort, user, "secret", knownHosts];
    this.#server = spawn("ip", ["netns", "exec", this.#namespace, ...server], { stdio: ["pipe", "pipe", "inherit"] });
    await Promise.race([
      once(this.#server.stdout as NodeJS.ReadableStream, "data"),
      once(this.#server, "exit").then(() => Promise.reject(new Error("The SSH server did not start."))),
    ]);
  }
}

function kernelspec(python: string, host: string): object {
  const proxy = "enterprise_gateway.services.processproxies.distributed.DistributedProcessProxy";
  return {
    display_name: "Python on the second host",
    language: "python",
    argv: [python, here("launch_kernel.py"), "{kernel_id}", "{response_address}", "{public_key}"],
    metadata: { process_proxy: { class_name: proxy, config: { remote_hosts: host } } },
  };
}
