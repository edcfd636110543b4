import type { GatewayAddress } from "./gateway-address.ts";

/** The variables that users set for Jupyter's own gateway client. */
export interface GatewayVariables {
  /** Null when they name no gateway. */
  readonly address: GatewayAddress | null;
  /** A file with certificates of authorities that are trusted besides the usual ones; for `GatewayAddress.ca`. */
  readonly caFile: string | null;
  /** For the launcher of the kernel, such as Enterprise Gateway. */
  readonly kernelVariables: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads JUPYTER_GATEWAY_URL, _AUTH_TOKEN, _AUTH_SCHEME, _HTTP_USER, _HTTP_PWD, _HEADERS, _VALIDATE_CERT, _CA_CERTS;
 * SSL_CERT_FILE, which Node ignores; and KERNEL_*.
 */
export function gatewayVariables(env: Environment): GatewayVariables {
  const of = (name: string): string | undefined => env[`JUPYTER_GATEWAY_${name}`] || undefined;
  const url = of("URL");
  return {
    address: url === undefined ? null : { url, ...admission(of), validateCertificate: isOn(of("VALIDATE_CERT")) },
    caFile: of("CA_CERTS") ?? env.SSL_CERT_FILE ?? null,
    kernelVariables: Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => entry[0].startsWith("KERNEL_") && !!entry[1]),
    ),
  };
}

/** A token, or a name with a password; and any other header that a proxy needs. */
function admission(of: (name: string) => string | undefined): Omit<GatewayAddress, "url"> {
  const headers = objectIn(of("HEADERS"));
  const [token, user] = [of("AUTH_TOKEN"), of("HTTP_USER")];
  if (token !== undefined) return { token, scheme: of("AUTH_SCHEME"), headers };
  if (user === undefined) return { headers };
  const both = Buffer.from(`${user}:${of("HTTP_PWD") ?? ""}`).toString("base64");
  return { token: both, scheme: "Basic", headers };
}

function isOn(text = "true"): boolean {
  return !["no", "false", "0"].includes(text.toLowerCase());
}

function objectIn(text = "{}"): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, String(content)]));
  } catch {
    return {}; // Jupyter's own client ignores it as well
  }
}
