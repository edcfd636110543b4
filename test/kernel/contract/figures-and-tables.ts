import { run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";

const pngSignature = "iVBORw0KGgo";

export function describeFiguresAndTables({ test }: Contract): void {
  describe("figures and tables", () => {
    test(
      "a matplotlib figure is shown as PNG without plt.show()",
      async (kernel) => {
        const cell = "import matplotlib.pyplot as plt\nplt.plot([1, 2, 3]);";
        const { displays, outcome, stderr } = await run(kernel, cell);
        expect({ outcome, stderr }).toEqual({ outcome: "ok", stderr: "" });
        expect(displays.length).toBe(1);
        expect(String(displays[0]?.data["image/png"]).startsWith(pngSignature)).toBe(true);
        const next = await run(kernel, "plt.get_fignums()");
        expect(next.displays).toEqual([]);
        expect(next.result).toEqual({ "text/plain": "[]" });
      },
      { packages: ["matplotlib"] },
    );

    test(
      "several figures, plt.show() between prints, and a figure as result are each shown once",
      async (kernel) => {
        const cell = py`
          import matplotlib.pyplot as plt
          print("one"); plt.plot([1]); plt.show()
          print("two"); figure, axes = plt.subplots(); plt.show()
          print("three"); plt.figure(); plt.plot([2]); plt.figure(); plt.plot([3])
          figure
        `;
        const { events, result } = await run(kernel, cell);
        const order = events.map((event) => (event.type === "stream" ? event.text.trim() : event.type));
        expect(order.filter((one) => one !== "started" && one !== "done" && one !== "result")).toEqual([
          "one",
          "display",
          "two",
          "display",
          "three",
          "display",
          "display",
        ]);
        expect(String(result?.["image/png"]).startsWith(pngSignature)).toBe(true);
      },
      { packages: ["matplotlib"] },
    );

    test(
      "a figure drawn before an error is shown, and does not turn up in the next cell",
      async (kernel) => {
        const failing = await run(kernel, "import matplotlib.pyplot as plt\nplt.plot([1])\n1/0");
        expect(failing.outcome).toBe("error");
        expect(failing.displays.length).toBe(1);
        expect((await run(kernel, "1")).displays).toEqual([]);
      },
      { packages: ["matplotlib"] },
    );

    test(
      "a pandas frame has a table in HTML beside the plain text",
      async (kernel) => {
        const { result } = await run(kernel, "import pandas as pd\npd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})");
        expect(result?.["text/html"]).toContain("<table");
        expect(result?.["text/plain"]).toBe("   a  b\n0  1  x\n1  2  y");
      },
      { packages: ["pandas"] },
    );

    test(
      "a numpy array is shown as numpy prints it",
      async (kernel) => {
        const { result } = await run(kernel, "import numpy as np\nnp.arange(3)");
        expect(result).toEqual({ "text/plain": "array([0, 1, 2])" });
      },
      { packages: ["numpy"] },
    );
  });
}
