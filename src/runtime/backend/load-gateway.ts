import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { KernelError } from "../../kernel/errors.ts";
import { createGatewayBackend } from "../../kernel/gateway/gateway-backend.ts";
import type { GatewayAddress } from "../../kernel/gateway/rest/gateway-address.ts";
import { gatewayVariables } from "../../kernel/gateway/rest/gateway-variables.ts";
import type { KernelBackend } from "../../kernel/kernel.ts";
import { managedPath } from "../../python/managed/managed-check.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Environment } from "../../support/environment.ts";
import { systemReason } from "../../support/files/system-reason.ts";
import { type BackendOptions, hasExternalGateway } from "./load-backend.ts";

/** So long is a kernel kept that nobody is connected to, where idle ones are never ended. */
const aWeekSeconds = 7 * 24 * 3600;
const orphanSeconds = 300;

/** The gateway that the settings name, or Jupyter's own variables; else the one that is shared on this machine. */
export async function loadGateway(settings: Settings, options: BackendOptions): Promise<KernelBackend> {
  const { env, home, keepAs } = options;
  const { sharedGateway, kernel, idleMinutes } = settings.python;
  return createGatewayBackend({
    home,
    sharedGateway,
    keepAs,
    kernel: kernel ?? undefined,
    external: hasExternalGateway(settings, env) ? await externalGateway(settings, env) : undefined,
    kernelVariables: gatewayVariables(env).kernelVariables,
    managedInterpreter: join(managedPath(home), "bin", "python"),
    limits: { unusedKernelSeconds: unusedKernelSeconds(idleMinutes, keepAs !== undefined) },
  });
}

/** A kernel that no later process comes back to is of no use to anybody when its host has died. */
function unusedKernelSeconds(idleMinutes: number, isKept: boolean): number {
  const seconds = idleMinutes === 0 ? aWeekSeconds : Math.max(60, idleMinutes * 60);
  return isKept ? seconds : Math.min(seconds, orphanSeconds);
}

/** What Jupyter's variables say goes only to the address that they name. */
export async function externalGateway({ python }: Settings, env: Environment): Promise<GatewayAddress> {
  const { address, caFile } = gatewayVariables(env);
  const token = python.gatewayToken ?? undefined;
  const named = python.gatewayUrl === null ? address && { token, ...address } : { url: python.gatewayUrl, token };
  if (named === null) throw new KernelError("start-failed", "No gateway is named. Set PI_PYTHON_GATEWAY_URL.");
  const isSecure = /^https:/i.test(named.url);
  if (caFile === null || !isSecure) return named;
  const [own, extra] = await Promise.all([readCertificates(caFile), extraCertificates(env)]);
  return { ...named, ca: `${own}\n${extra}` };
}

/** Node trusts these by itself, but only as long as nobody names other ones. One that it cannot read it leaves out. */
async function extraCertificates({ NODE_EXTRA_CA_CERTS: file }: Environment): Promise<string> {
  return file ? readFile(file, "utf8").catch(() => "") : "";
}

async function readCertificates(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const sentence = `The certificates in ${file} cannot be read: ${systemReason(cause)}. Correct JUPYTER_GATEWAY_CA_CERTS or SSL_CERT_FILE.`;
    throw new KernelError("start-failed", sentence, { cause });
  }
}
