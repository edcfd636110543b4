import { readdirSync, readFileSync } from "node:fs";
import { inRepository } from "../repository.mjs";

/**
 * The licenses of the packages whose code is in the bundles: each asks to go along with its code.
 * @param {ReadonlySet<string>} modules paths of all bundled modules
 */
export function thirdPartyLicenses(modules) {
  const names = new Set([...modules].flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  return [...names]
    .sort()
    .map(licenseOf)
    .join(`\n${"=".repeat(80)}\n\n`);
}

/** @param {string} name */
function licenseOf(name) {
  const folder = inRepository(`node_modules/${name}`);
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const text = file === undefined ? "" : readFileSync(`${folder}/${file}`, "utf8").trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
