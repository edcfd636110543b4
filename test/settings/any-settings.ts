import fc from "fast-check";
import type { SettingName, SettingValue } from "../../src/settings/settings.ts";

/** Values for some of the settings, by name. Every setting of the table must be here, or this does not compile. */
export function anySettings(): fc.Arbitrary<SomeSettings> {
  return fc.record(anyValue, { requiredKeys: [] }).filter(headFits) as fc.Arbitrary<SomeSettings>;
}

export type SomeSettings = { readonly [Name in SettingName]?: SettingValue<Name> };

const line = fc
  .string({ unit: "grapheme", minLength: 1 })
  .filter((text) => text.trim() !== "" && !/\p{Cc}/u.test(text));
const duration = fc.oneof(fc.integer({ min: 1, max: 24 }), fc.double({ min: 1, max: 24, noNaN: true }));
const count = fc.integer({ min: 80, max: 1000 });
const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,9}$/);

const anyValue: { readonly [Name in SettingName]: fc.Arbitrary<SettingValue<Name>> } = {
  "python.toolMode": fc.constantFrom("both", "ipy-only", "bash-only"),
  "python.kernelMode": fc.constantFrom("session", "per-call"),
  "python.backend": fc.constantFrom("auto", "runner", "gateway", "zmq"),
  "python.kernel": fc.option(line),
  "python.sharedGateway": fc.boolean(),
  "python.gatewayUrl": fc.option(fc.webUrl({ validSchemes: ["http", "https"] })),
  "python.gatewayToken": fc.option(line),
  "python.interpreter": fc.option(line),
  "python.allowEnv": fc.array(fc.oneof(name, fc.constant("SLURM_*"))),
  "python.projectModules": fc.boolean(),
  "python.sandbox": fc.constantFrom("off", "workspace", "strict"),
  "python.sandboxNetwork": fc.oneof(
    fc.constantFrom("off" as const, "on" as const),
    fc.array(fc.constantFrom("pypi.org", "*.example.com", "10.0.0.1", "::1"), { minLength: 1 }),
  ),
  "python.sandboxWrite": fc.array(fc.constantFrom("/data", "~/data", "sub")),
  "python.sandboxEngine": fc.constantFrom("auto", "bwrap", "landlock"),
  "python.launcher": fc.array(fc.constantFrom("nice", "-n", "10")),
  "python.memoryLimitMb": count,
  "python.cpuSeconds": count,
  "python.maxProcesses": count,
  "python.warm": fc.oneof(fc.boolean(), fc.constant("auto" as const)),
  "python.preload": fc.oneof(fc.constant("auto" as const), fc.array(fc.constantFrom("numpy", "a.b_c", "größe"))),
  "python.checkpoints": fc.constantFrom("off", "auto", "always"),
  "python.checkpointCopies": fc.integer({ min: 1, max: 50 }),
  "python.checkpointMemoryMb": fc.integer({ min: 1, max: 100_000 }),
  "python.timeoutSeconds": duration,
  "python.hardLimitSeconds": fc.oneof(duration, fc.constant(0)),
  "python.interruptGraceSeconds": fc.oneof(duration, fc.constant(0)),
  "python.startSeconds": duration,
  "python.maxSessions": count,
  "python.idleMinutes": fc.oneof(duration, fc.constant(0)),
  "python.lowMemoryPercent": fc.oneof(duration, fc.constant(0)),
  "python.sweepSeconds": duration,
  "python.heartbeatSeconds": fc.oneof(duration, fc.constant(0)),
  "python.crashRetry": fc.constantFrom("once", "never"),
  "python.backgroundHours": duration,
  "python.skipCheck": fc.boolean(),
  "python.ipcTrace": fc.oneof(
    fc.boolean(),
    name.map((name) => `/${name}`),
  ),
  "tools.eval": fc.boolean(),
  "output.budgetBytes": fc.integer({ min: 1024, max: 100_000 }),
  "output.headBytes": fc.integer({ min: 0, max: 100_000 }),
  "output.maxLines": count,
  "output.maxLineBytes": count,
  "output.foldLines": fc.boolean(),
  "artifacts.maxMegabytes": count,
  "artifacts.keepDays": count,
  "notebook.maxCellMegabytes": fc.integer({ min: 1, max: 400 }),
  "console.pictures": fc.constantFrom("auto", "kitty", "iterm2", "sixel", "half-block", "none"),
  "console.pictureRows": fc.constantFrom(0, 1, 40, 500),
  "console.suggestions": fc.boolean(),
  "console.confirmExit": fc.boolean(),
  "hub.use": fc.constantFrom("auto", "never"),
  "hub.idleHours": fc.oneof(duration, fc.constant(0)),
  "hub.maxKernels": count,
  "hub.maxMegabytes": fc.oneof(count, fc.constant(0)),
  "hub.endAfterMinutes": duration,
  "debug.startup": fc.boolean(),
};

function headFits(settings: SomeSettings): boolean {
  return (settings["output.headBytes"] ?? 0) <= (settings["output.budgetBytes"] ?? 16_384);
}
