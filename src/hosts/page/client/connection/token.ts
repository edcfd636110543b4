import { signal } from "@preact/signals";

/** Why the page cannot be used, a sentence; null when it can. */
export const lockedOut = signal<string | null>(null);

const key = "granary-token";
const noAccess = "This page needs a fresh address. Open it with: granary page";

/** Exchanges the code in the address for a token of this tab, and takes it out of the address. */
export async function openAccess(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code !== null) {
    history.replaceState(null, "", location.pathname);
    const response = await fetch("/page/api/token", { method: "POST", body: JSON.stringify({ code }) });
    if (response.ok) sessionStorage.setItem(key, ((await response.json()) as { readonly token: string }).token);
  }
  if (sessionStorage.getItem(key) === null) lockedOut.value = noAccess;
}

export function tokenHeader(): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${sessionStorage.getItem(key) ?? ""}` };
}

/** The server no longer knows the token: it was restarted. */
export function loseAccess(): void {
  sessionStorage.removeItem(key);
  lockedOut.value = noAccess;
}
