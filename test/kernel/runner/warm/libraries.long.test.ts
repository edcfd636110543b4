import { libraries } from "../../../environment/pythons.ts";
import { describeLibraries } from "./describe-libraries.ts";
import { mainCells, otherCells, refusedLibraries } from "./library-cells.ts";

const environment = libraries();
const cells = { ...mainCells, ...otherCells };
if ("python" in environment) {
  describeLibraries("in a forked kernel works", environment.python, cells, { refused: refusedLibraries });
}
