import type { KernelBackend } from "../kernel/kernel.ts";
import type { KernelSite } from "./choose-backend.ts";
import type { LaunchOptions } from "./launch-kernel.ts";
import type { BackendOptions } from "./load-backend.ts";

/** What a kernel is started with; for those who start one, and for those who only want to know. */
export interface Premises
  extends Pick<LaunchOptions, "cwd" | "env" | "home" | "settings" | "host" | "extraEnv" | "backend"> {
  readonly site: KernelSite;
  loadBackend(keepAs?: BackendOptions["keepAs"]): Promise<KernelBackend>;
}
