import { askPython } from "../../../python/find/ask-python.ts";
import { deadlineAfter } from "../../../support/deadline.ts";
import { KernelError } from "../../errors.ts";

export interface ModuleCheck {
  readonly interpreter: string;
  /** Granary's own environment, if any: a gateway can run from there, and kernels on the project's Python. */
  readonly managedInterpreter?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const askWithinMs = 20_000;

/** The Python to run the gateway with. Rejects when modules are missing, with their names and how to install them. */
export async function findGatewayInterpreter(check: ModuleCheck): Promise<string> {
  const { interpreter, managedInterpreter } = check;
  const own = await modulesOf(interpreter, check);
  const hasKernel = own.includes("ipykernel");
  if (hasKernel && own.includes("kernel_gateway")) return interpreter;
  const managed =
    managedInterpreter === undefined ? [] : await modulesOf(managedInterpreter, check).catch((): string[] => []);
  const managedGateway = managed.includes("kernel_gateway") ? managedInterpreter : undefined;
  if (hasKernel && managedGateway !== undefined) return managedGateway;
  const missing = [
    ...(own.includes("kernel_gateway") || managedGateway !== undefined ? [] : ["kernel_gateway"]),
    ...(hasKernel ? [] : ["ipykernel"]),
  ];
  const packages = missing.map((module) => (module === "kernel_gateway" ? "jupyter_kernel_gateway" : module)).join(" ");
  const remedy = `Install ${missing.length === 1 ? "it" : "them"} with: ${interpreter} -m pip install ${packages}`;
  throw new KernelError("start-failed", `${interpreter} has no module ${missing.join(" and no module ")}. ${remedy}`, {
    details: { missing, remedy },
  });
}

async function modulesOf(executable: string, { env, signal }: ModuleCheck): Promise<readonly string[]> {
  using deadline = deadlineAfter(askWithinMs, signal);
  const reply = await askPython(executable, { cwd: "/", env, signal: deadline.signal });
  if (!("problem" in reply)) return reply.facts.modules;
  throw new KernelError("start-failed", `${executable} ${reply.problem}. Check the path of the interpreter.`, {
    cause: reply.shortage,
  });
}
