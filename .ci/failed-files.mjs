// Prints the test files that failed, one per line, from the report that vitest has written.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const { testResults } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
for (const { name, status } of testResults) if (status === "failed") console.log(relative(".", name));
