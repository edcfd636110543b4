import type { KernelEvent, MimeBundle } from "../../src/kernel/events.ts";

export const print = (text: string): KernelEvent => ({ type: "stream", name: "stdout", text });

export const show = (data: MimeBundle, displayId?: string, update = false): KernelEvent => ({
  type: "display",
  data,
  metadata: {},
  update,
  ...(displayId !== undefined && { displayId }),
});
