import type { SharedGatewayStatus } from "../../../kernel/gateway/shared/shared-gateway.ts";
import { sayCount } from "../../../support/say-count.ts";

/** A gateway for people: where it is, how it is, what runs on it. */
export function describeGateway(gateway: SharedGatewayStatus, now: number): readonly string[] {
  const { interpreter, log } = gateway;
  return [describeBriefly(gateway, now), `  Python  ${interpreter}`, `  log     ${log}`];
}

/** The same in one line. */
export function describeBriefly({ url, pid, healthy, kernels, startedAt }: SharedGatewayStatus, now: number): string {
  const state = healthy ? sayCount(kernels ?? 0, "kernel") : "does not answer";
  return `${url} (process ${pid}, ${state}, ${age(now - Date.parse(startedAt))} old)`;
}

const steps = [
  { unit: "days", seconds: 86_400 },
  { unit: "hours", seconds: 3600 },
  { unit: "minutes", seconds: 60 },
] as const;

/** In the largest unit of which there are two: `90 minutes`, `5 hours`. */
function age(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  const step = steps.find((one) => seconds >= 2 * one.seconds);
  return step === undefined
    ? sayCount(Math.round(seconds), "second")
    : `${Math.floor(seconds / step.seconds)} ${step.unit}`;
}
