import { environment, newestPython, oldestPython } from "../../../environment/pythons.ts";
import { isLong } from "../../../environment/variants.ts";
import { describeLibraries } from "./describe-libraries.ts";
import { mainCells, standardCells } from "./library-cells.ts";

for (const { path, version } of isLong ? [oldestPython(), newestPython()] : [newestPython()]) {
  const { asyncio: _needsPython39, ...forOld } = standardCells;
  const cells = version.startsWith("3.8.") ? forOld : standardCells;
  describeLibraries(`in a forked kernel on Python ${version} works`, path, cells, { areCheap: true });
}

const main = environment("main");
if ("python" in main) describeLibraries("in a forked kernel works", main.python, mainCells);
