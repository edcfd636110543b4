import { readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { realIfThere } from "../real-path.ts";
import type { ShownLink } from "./python-parts.ts";

/** As many as Linux follows. */
const mostLinks = 40;

/**
 * The links that the system passes on the way to a path, each without links in front of it: uv starts `cpython-3.13/bin/python3.13`,
 * where `cpython-3.13` is a link to the folder of the newest release.
 */
export function linksOnTheWay(path: string): readonly ShownLink[] {
  const found: ShownLink[] = [];
  const parts = path.split("/");
  let place = "/";
  for (let part = parts.shift(); part !== undefined && found.length < mostLinks; part = parts.shift()) {
    const at = join(place, part);
    const text = textOf(at);
    if (text === null) {
      place = at;
      continue;
    }
    const to = realIfThere(at);
    if (to === null) break;
    found.push({ at, to });
    place = text.startsWith("/") ? "/" : dirname(at);
    parts.unshift(...text.split("/"));
  }
  return found;
}

/** Null where there is no link. */
function textOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
