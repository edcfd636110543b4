/** Gets every message to and from a kernel, as text. */
export type Trace = (direction: "send" | "receive", channel: string, message: string) => void;

const longestMessage = 4000;

/** The prefix that marks a token of the tool bridge anywhere. */
export const bridgeTokenPrefix = "granary-bridge-";
const bridgeTokens = new RegExp(`${bridgeTokenPrefix}[\\w-]+`, "g");

/**
 * A trace that writes one line per message, with the time since its beginning. Known secrets are masked,
 * also where JSON has escaped them, or a string of code within JSON.
 */
export function createTrace(write: (line: string) => void, secrets: readonly string[]): Trace {
  const startedAt = performance.now();
  const masked = secrets
    .filter(isWorthMasking)
    .flatMap((secret) => [secret, escaped(secret), escaped(escaped(secret))]);
  return (direction, channel, message) => {
    const untokened = message.replace(bridgeTokens, "<masked>");
    const hidden = masked.reduce((text, secret) => text.replaceAll(secret, "<masked>"), untokened);
    const shown =
      hidden.length > longestMessage
        ? `${hidden.slice(0, longestMessage)}… (${hidden.length - longestMessage} more)`
        : hidden;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(3);
    write(`ipc ${seconds} ${direction === "send" ? "→" : "←"} ${channel} ${shown}\n`);
  };
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Masking every `1` because a token is `1` would leave nothing to read. */
function isWorthMasking(secret: string): boolean {
  return secret.length >= 6;
}
