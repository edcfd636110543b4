import { run } from "../collect.ts";
import { describe, expect } from "../harness.ts";
import type { Contract } from "../kernel-contract.ts";
import { py } from "../py.ts";

export function describeWarnings({ test }: Contract): void {
  describe("warnings and logging", () => {
    test("a warning names the line of the cell and shows it", async (kernel) => {
      const { stderr } = await run(kernel, "import warnings\nwarnings.warn('careful')  # this line");
      expect(stderr).toMatch(/:2: UserWarning: careful\n/);
      expect(stderr).toContain("warnings.warn('careful')  # this line");
    });

    test("a warning about a caller names the caller's cell", async (kernel) => {
      await run(kernel, "import warnings\ndef old():\n    warnings.warn('old', UserWarning, stacklevel=2)");
      const { stderr } = await run(kernel, "\n\nold()  # the caller");
      expect(stderr).toMatch(/:3: UserWarning: old\n/);
      expect(stderr).toContain("old()  # the caller");
    });

    test("the same warning from another cell is shown again", async (kernel) => {
      await run(kernel, "import warnings; warnings.warn('again')");
      const { stderr } = await run(kernel, "import warnings; warnings.warn('again')");
      expect(stderr).toContain("UserWarning: again");
    });

    test("a deprecation in the user's own code is shown", async (kernel) => {
      const { stderr } = await run(kernel, "import warnings\nwarnings.warn('old way', DeprecationWarning)");
      expect(stderr).toContain("DeprecationWarning: old way");
    });

    test("a syntax warning is shown once", async (kernel) => {
      const { stderr, outcome } = await run(kernel, "x = 'a'\nx is 'a'  # suspicious");
      expect(outcome).toBe("ok");
      expect(stderr.match(/SyntaxWarning/g)?.length).toBe(1);
      expect(stderr).toMatch(/:2: SyntaxWarning/);
    });

    test("a warning turned into an error is an error at the cell's line", async (kernel) => {
      const strict = "warnings.simplefilter('error'); warnings.warn('strict')";
      const cell = `import warnings\nwith warnings.catch_warnings():\n    ${strict}  # here`;
      const { error } = await run(kernel, cell);
      expect(error?.name).toBe("UserWarning");
      expect(error?.traceback).toContain("# here");
    });

    test("a log record names the line and the function of the cell", async (kernel) => {
      const { stderr } = await run(
        kernel,
        py`
          import logging
          logging.basicConfig(format="%(levelname)s line %(lineno)d in %(funcName)s: %(message)s")
          def work():
              logging.warning("hello")
          work()
        `,
      );
      expect(stderr).toBe("WARNING line 4 in work: hello\n");
    });

    test("a logged exception shows the cell's source", async (kernel) => {
      const { stderr } = await run(
        kernel,
        "import logging\ntry:\n    1 / 0  # logged\nexcept ZeroDivisionError:\n    logging.exception('failed')",
      );
      expect(stderr).toContain("ERROR:root:failed");
      expect(stderr).toContain("1 / 0  # logged");
    });

    test("a handler made in one cell writes in the next", async (kernel) => {
      await run(kernel, "import logging, sys\nlogging.basicConfig(stream=sys.stdout, format='%(message)s')");
      const { stdout } = await run(kernel, "logging.warning('later')");
      expect(stdout).toBe("later\n");
    });
  });
}
