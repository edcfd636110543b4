import { KernelError } from "../../errors.ts";
import { type GatewayAddress, shownUrl } from "./gateway-address.ts";
import type { RestReply } from "./rest.ts";

/** The attempt, as the rest of a sentence that begins with `could not`: `start a kernel`. */
type Attempt = string;

/** A gateway that cannot be reached, or does not answer in time. */
export function notReached(address: GatewayAddress, attempt: Attempt, cause: unknown): KernelError {
  const where = `the gateway at ${shownUrl(address)}`;
  const { code, name, message } = cause as NodeJS.ErrnoException;
  if (name === "TimeoutError" || name === "AbortError") {
    const sentence = `Could not ${attempt}: ${where} did not answer in time. Check the gateway and the network.`;
    return new KernelError("start-timeout", sentence, { details: { url: shownUrl(address) }, cause });
  }
  const remedy = remedyFor(address, code);
  const reason = message || code || "no connection";
  return new KernelError("start-failed", `Could not ${attempt}: ${where} cannot be reached (${reason}). ${remedy}`, {
    details: { url: shownUrl(address), code },
    cause,
  });
}

/** A gateway that answers with something unexpected. */
export function refused(address: GatewayAddress, attempt: Attempt, { status, body }: RestReply): KernelError {
  const where = `the gateway at ${shownUrl(address)}`;
  const said = reasonIn(body);
  const details = { url: shownUrl(address), status };
  // Enterprise Gateway has other reasons too: too many kernels, or the user's name.
  const isAboutUser = /Resource Limit|is not authorized to/.test(said);
  if (status === 401 || (status === 403 && !isAboutUser)) {
    const what = address.token ? "does not accept the token" : "wants a token";
    const sentence = `Could not ${attempt}: ${where} ${what} (${status}). Set PI_PYTHON_GATEWAY_TOKEN.`;
    return new KernelError("start-failed", sentence, { details });
  }
  const answer = said === "" ? `${status}` : `${status}: ${said}`;
  const isElsewhere = status === 404 && address.log === undefined;
  const remedy = isElsewhere
    ? "Check the address in PI_PYTHON_GATEWAY_URL, with its path, and the name of the kernel."
    : `Its log says more${address.log === undefined ? "" : `: ${address.log}`}.`;
  return new KernelError("start-failed", `Could not ${attempt}: ${where} answered ${answer}. ${remedy}`, {
    details,
    cause: isOutOfDescriptors(body) ? new Error("The gateway has too many open files.") : undefined,
  });
}

/** The message says only that something failed; Kernel Gateway sends the traceback with it. */
function isOutOfDescriptors(body: unknown): boolean {
  const { traceback } = Object(body) as { readonly traceback?: unknown };
  return typeof traceback === "string" && /too many open files/i.test(traceback);
}

function remedyFor({ log }: GatewayAddress, code: string | undefined): string {
  if (log !== undefined) return `Try again, which starts another one; the log of this one is ${log}.`;
  return certificateCodes.has(code ?? "")
    ? "Name the file with its authority's certificate in NODE_EXTRA_CA_CERTS or SSL_CERT_FILE."
    : "Check the address in PI_PYTHON_GATEWAY_URL, the network, and that the gateway runs.";
}

const certificateCodes = new Set([
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
]);

/** Gateways use one of two fields. */
function reasonIn(body: unknown): string {
  if (typeof body !== "object" || body === null) return "";
  const { message, reason } = body as { message?: unknown; reason?: unknown };
  const said = [message, reason].find((text) => typeof text === "string" && text !== "");
  return typeof said === "string" ? (said.split("\n").at(0) ?? "") : "";
}
