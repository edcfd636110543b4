import type { HttpUser } from "./http-user.ts";

/** The users by name; opened at the first request and closed with the server. */
export class HttpUsers {
  readonly #open: (name: string) => Promise<HttpUser>;
  readonly #users = new Map<string, Promise<HttpUser>>();

  constructor(open: (name: string) => Promise<HttpUser>) {
    this.#open = open;
  }

  named(name: string): Promise<HttpUser> {
    const known = this.#users.get(name);
    if (known !== undefined) return known;
    const user = this.#open(name);
    // Try again at the next request: the cause of the failure may be gone.
    user.catch(() => this.#users.delete(name));
    this.#users.set(name, user);
    return user;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#users.values());
    await Promise.all(opened.map(async (user) => user.status === "fulfilled" && user.value.close()));
  }
}
