import { signal } from "@preact/signals";

/** The time in milliseconds since the epoch, once a second. */
export const now = signal(Date.now());

setInterval(() => {
  now.value = Date.now();
}, 1000);
