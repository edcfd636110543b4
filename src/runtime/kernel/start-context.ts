import type { KernelBackend } from "../../kernel/kernel.ts";
import type { BackendOptions, KernelSite } from "../backend/load-backend.ts";
import type { LaunchOptions } from "./launch-kernel.ts";

/** What a kernel is started with; for those who start one, and for those who only want to know. */
export interface StartContext
  extends Pick<LaunchOptions, "cwd" | "env" | "home" | "settings" | "host" | "extraEnv" | "backend"> {
  readonly site: KernelSite;
  loadBackend(keepAs?: BackendOptions["keepAs"]): Promise<KernelBackend>;
}
