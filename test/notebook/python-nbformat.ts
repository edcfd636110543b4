import { spawnSync } from "node:child_process";
import { environment } from "../environment/pythons.ts";

/** Jupyter's own library as the reference; null where the test environment does not have it. */
export function pythonWith(...modules: readonly string[]): string | null {
  const main = environment("main");
  if (!("python" in main)) return null;
  // Importing Jupyter's libraries takes seconds of processor time.
  const look =
    "import importlib.util, sys; sys.exit(None in [importlib.util.find_spec(name) for name in sys.argv[1:]])";
  return spawnSync(main.python, ["-c", look, ...modules]).status === 0 ? main.python : null;
}

/** Runs `judge`, an expression in which `text` is a notebook's JSON, for each of them in one Python. */
export function judgeEach<Verdict>(python: string, setUp: string, judge: string, texts: readonly string[]): Verdict[] {
  const program = [
    "import json, sys, warnings",
    "warnings.simplefilter('ignore')",
    setUp,
    "texts = json.load(sys.stdin)",
    "def judge(text):",
    `    return ${judge}`,
    "print(json.dumps([judge(text) for text in texts]))",
  ].join("\n");
  const { status, stdout, stderr } = spawnSync(python, ["-c", program], {
    input: JSON.stringify(texts),
    encoding: "utf8",
    env: { ...process.env, PYTHONUTF8: "1" },
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
