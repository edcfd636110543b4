import { join } from "node:path";

export function hubFolder(home: string): string {
  return join(home, "hub");
}

export function hubLogIn(folder: string): string {
  return join(folder, "hub.log");
}
