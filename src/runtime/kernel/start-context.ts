import type { KernelBackend } from "../../kernel/kernel.ts";
import type { BackendOptions, KernelSite } from "../backend/load-backend.ts";
import type { LaunchOptions } from "./launch-kernel.ts";

/** The inputs of a kernel start, also for callers that only report them. */
export interface StartContext
  extends Pick<
    LaunchOptions,
    | "cwd"
    | "top"
    | "base"
    | "isConfined"
    | "mayLeave"
    | "env"
    | "home"
    | "settings"
    | "sandboxes"
    | "host"
    | "extraEnv"
    | "backend"
  > {
  readonly site: KernelSite;
  loadBackend(keepAs?: BackendOptions["keepAs"]): Promise<KernelBackend>;
}
