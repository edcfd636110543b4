import fc from "fast-check";

/** A step of a program: a cell, a cell that ends Python, or an undo. */
export type Step =
  | { readonly kind: "set"; readonly name: string; readonly value: number }
  | { readonly kind: "add"; readonly name: string; readonly value: number }
  | { readonly kind: "crash"; readonly name: string; readonly how: string }
  | { readonly kind: "undo" };

const name = fc.constantFrom("a", "b", "c");
const value = fc.integer({ min: 0, max: 9 });
const how = fc.constantFrom("os._exit(1)", "os.abort()", "os.kill(os.getpid(), 9)");

export const programs: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ kind: fc.constant("set" as const), name, value }), weight: 4 },
    { arbitrary: fc.record({ kind: fc.constant("add" as const), name, value }), weight: 4 },
    { arbitrary: fc.record({ kind: fc.constant("crash" as const), name, how }), weight: 2 },
    { arbitrary: fc.record({ kind: fc.constant("undo" as const) }), weight: 2 },
  ),
  { minLength: 1, maxLength: 12 },
);

export function codeOf(step: Exclude<Step, { kind: "undo" }>): string {
  switch (step.kind) {
    case "set":
      return `${step.name} = [${step.value}]`;
    case "add":
      return `${step.name}.append(${step.value})`;
    case "crash":
      return `${step.name}.append(99); ${step.how}`;
  }
}

type State = Readonly<Record<string, readonly number[]>>;

/** The variables after each step, as a model that keeps every state computes them. */
export function model(steps: readonly Step[], start: State): readonly State[] {
  const states: State[] = [start];
  return steps.map((step) => {
    const now = states.at(-1) ?? start;
    if (step.kind === "set") states.push({ ...now, [step.name]: [step.value] });
    if (step.kind === "add") states.push({ ...now, [step.name]: [...(now[step.name] ?? []), step.value] });
    if (step.kind === "undo" && states.length > 1) states.pop();
    return states.at(-1) ?? start;
  });
}
