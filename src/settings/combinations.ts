import { GranaryError } from "../support/granary-error.ts";
import type { LoadedSettings } from "./load-settings.ts";
import { describeOrigin } from "./origin.ts";

/** Settings that are valid alone can be wrong together. */
export function checkCombinations(loaded: LoadedSettings): void {
  keepTokenFromStrangers(loaded);
  keepHeadWithinBudget(loaded);
}

/** The user's token must not be sent to an address from a cloned folder. */
function keepTokenFromStrangers({ values, origins }: LoadedSettings): void {
  const address = origins["python.gatewayUrl"];
  const token = origins["python.gatewayToken"];
  const isStranger = address.from === "project-file" && values.python.gatewayUrl !== null;
  if (!isStranger || values.python.gatewayToken === null || token.from === "project-file") return;
  throw new GranaryError(
    "settings",
    `${address.path} sets python.gatewayUrl, but python.gatewayToken comes from ${describeOrigin(token)}: your token ` +
      "would be sent to an address that came with this folder. If you trust it, set PI_PYTHON_GATEWAY_URL to that " +
      "address yourself; if it needs no token, set PI_PYTHON_GATEWAY_TOKEN to nothing.",
    { details: { origin: address } },
  );
}

function keepHeadWithinBudget({ values, origins }: LoadedSettings): void {
  const { headBytes, budgetBytes } = values.output;
  if (headBytes <= budgetBytes) return;
  const head = origins["output.headBytes"];
  const budget = origins["output.budgetBytes"];
  throw new GranaryError(
    "settings",
    `output.headBytes is ${headBytes} (${describeOrigin(head)}), but is a part of output.budgetBytes, which is ` +
      `${budgetBytes} (${describeOrigin(budget)}). Lower the first or raise the second.`,
    { details: { origin: head } },
  );
}
