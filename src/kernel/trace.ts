/** Is told every message that goes to a kernel or comes from it, as text. */
export type Trace = (direction: "send" | "receive", channel: string, message: string) => void;

const longestMessage = 4000;

/** By which a token of the tool bridge is known wherever it turns up. */
export const bridgeTokenPrefix = "granary-bridge-";
const bridgeTokens = new RegExp(`${bridgeTokenPrefix}[\\w-]+`, "g");

/**
 * A trace that writes one line per message, with the time since its beginning. What is known to be secret is masked,
 * also where JSON has escaped it, or a string of code within JSON.
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

/** Masking every `1` because somebody's token is `1` would leave nothing to read. */
function isWorthMasking(secret: string): boolean {
  return secret.length >= 6;
}
