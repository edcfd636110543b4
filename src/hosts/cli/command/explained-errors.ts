import { KernelError } from "../../../kernel/errors.ts";
import { NoPythonError } from "../../../python/find/no-python-error.ts";
import { SettingsError } from "../../../settings/settings-error.ts";
import { UsageError } from "./usage-error.ts";

const explained = [UsageError, SettingsError, NoPythonError, KernelError] as const;

/** Whether an error answers the next question: its sentence is all that a person needs. Any other is a mistake of ours. */
export function isExplained(error: unknown): error is InstanceType<(typeof explained)[number]> {
  return explained.some((kind) => error instanceof kind);
}
