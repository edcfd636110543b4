import type { KernelInfo } from "../../kernel/kernel.ts";
import { withNotebookMetadata } from "../../notebook/edit/metadata.ts";
import { type Notebook, notebookMetadata } from "../../notebook/notebook.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { isJsonObject } from "../../support/json/parse.ts";
import type { JsonObject } from "../../support/json/value.ts";

/** The notebook with metadata of the kernel that ran it. An existing kernelspec stays. */
export function withKernelMetadata(notebook: Notebook, { language, version }: KernelInfo): Notebook {
  if (language !== "python") return notebook;
  const { kernelspec, language_info } = notebookMetadata(notebook);
  const known = isJsonObject(language_info) ? language_info : {};
  return withNotebookMetadata(notebook, {
    kernelspec: kernelspec ?? { display_name: "Python 3 (ipykernel)", language: "python", name: "python3" },
    language_info: { ...known, ...pythonInfo(version) },
  });
}

/** Refuses a notebook in another language: its code would only fail line by line. */
export function refuseOtherLanguages(notebook: Notebook): void {
  const { kernelspec, language_info } = notebookMetadata(notebook);
  const language = textIn(kernelspec, "language") ?? textIn(language_info, "name");
  if (language === null || /^(i?python\d?|cython)$/i.test(language)) return;
  const name = textIn(kernelspec, "name");
  throw new GranaryError(
    "not-python",
    `This notebook is in ${language}${name === null ? "" : ` (kernel ${name})`}, and Granary's kernels run Python. ` +
      "If its code is Python, correct kernelspec and language_info in its metadata.",
  );
}

/** The metadata of ipykernel. */
function pythonInfo(version: string): JsonObject {
  return {
    codemirror_mode: { name: "ipython", version: 3 },
    file_extension: ".py",
    mimetype: "text/x-python",
    name: "python",
    nbconvert_exporter: "python",
    pygments_lexer: "ipython3",
    version,
  };
}

function textIn(value: unknown, key: string): string | null {
  const text = isJsonObject(value as JsonObject) ? (value as JsonObject)[key] : undefined;
  return typeof text === "string" && text !== "" ? text : null;
}
