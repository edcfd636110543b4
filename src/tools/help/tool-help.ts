import { bashHelp } from "./bash.ts";
import { evalHelp } from "./eval.ts";
import { editHelp, readHelp, writeHelp } from "./files.ts";
import { executionsHelp, kernelsHelp, variablesHelp } from "./kernels.ts";
import { notebookHelp, notebookRunHelp } from "./notebook.ts";
import { pythonHelp } from "./python.ts";

/** Text too long for a description, by the name of the tool: Markdown, on request. */
const toolHelp: ReadonlyMap<string, string> = new Map([
  ["python", pythonHelp],
  ["eval", evalHelp],
  ["bash", bashHelp],
  ["read", readHelp],
  ["edit", editHelp],
  ["write", writeHelp],
  ["notebook", notebookHelp + notebookRunHelp],
  ["executions", executionsHelp],
  ["variables", variablesHelp],
  ["kernels", kernelsHelp],
]);

/** Only for existing tools and their abilities: without Python, no notebook is run. */
export function helpOn(names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const known = [...toolHelp].filter(([name]) => names.has(name));
  return new Map(known.map(([name, text]) => [name, names.has("python") ? text : text.replace(notebookRunHelp, "")]));
}
