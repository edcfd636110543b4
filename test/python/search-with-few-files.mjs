// Looks for a Python with 0, 1, 2, … file descriptors left. Arguments: the module that does, a folder. It prints what was
// found each time, or the code of the error.
import { closeSync } from "node:fs";
import { openAll } from "../environment/open-all.mjs";

const [searchModule, cwd] = process.argv.slice(2);
const { findInterpreter } = await import(String(searchModule));
const find = () => findInterpreter({ cwd, env: process.env });
// Loads what it needs.
await find();
const files = openAll();
const outcomes = [];
for (let left = 0; left < 24; left++) {
  outcomes.push(await outcome());
  closeSync(Number(files.pop()));
}
console.log(JSON.stringify(outcomes));

async function outcome() {
  try {
    return (await find()).executable;
  } catch (error) {
    return Object(error).code;
  }
}
