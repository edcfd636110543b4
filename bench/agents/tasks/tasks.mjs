import { areOutputsTrue } from "./are-outputs-true.mjs";
import { continueSession } from "./continue-session.mjs";
import { crash } from "./crash.mjs";
import { fixNotebook } from "./fix-notebook.mjs";
import { longJob } from "./long-job.mjs";
import { makeNotebook } from "./make-notebook.mjs";
import { overLimit } from "./over-limit.mjs";
import { plotAndLook } from "./plot-and-look.mjs";
import { printedLines } from "./printed-lines.mjs";
import { profileCsv } from "./profile-csv.mjs";

/** @type {Record<string, import("../task.mjs").Task>} */
export const tasks = {
  "profile-csv": profileCsv,
  "plot-and-look": plotAndLook,
  "fix-notebook": fixNotebook,
  "long-job": longJob,
  crash,
  "printed-lines": printedLines,
  "over-limit": overLimit,
  "make-notebook": makeNotebook,
  "are-outputs-true": areOutputsTrue,
  "continue-session": continueSession,
};
