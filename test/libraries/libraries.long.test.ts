import { describe, expect, test } from "vitest";
import { libraries } from "../environment/pythons.ts";
import { compareKernels } from "./compare-kernels.ts";
import { readSnippets } from "./snippets.ts";

const environment = libraries();

describe.skipIf("missing" in environment)("a library in a cell shows on the runner what it shows in Jupyter", () => {
  const { python, notInstalled } = "python" in environment ? environment : { python: "", notInstalled: {} };

  for (const snippet of readSnippets()) {
    const { library, differs } = snippet;
    const why = notInstalled[library.toLowerCase().replaceAll("_", "-")];
    const title = why === undefined ? library : `${library} (not installed: ${why})`;
    test.skipIf(why !== undefined)(differs === null ? title : `${title}, except: ${differs}`, async () => {
      const { onJupyter, onRunner, difference } = await compareKernels(python, snippet);
      expect({ onJupyter, onRunner }).toEqual({ onJupyter: "ok", onRunner: "ok" });
      // A difference that is gone has to leave the list.
      if (differs === null) expect(difference).toBeNull();
      else expect(difference).not.toBeNull();
    });
  }
});
