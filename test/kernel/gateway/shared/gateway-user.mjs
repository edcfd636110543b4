// A process of its own that asks for the shared gateway, and says which one it got. With `kernel`, it also starts a kernel
// on it, says which, and stays until it is killed.
const [backendModule = "", sharedModule = "", home = "", interpreter = "", givenEnv = "", what] = process.argv.slice(2);
const env = JSON.parse(givenEnv);
if (what === "kernel") {
  /** @type {typeof import("../../../../src/kernel/gateway/gateway-backend.ts")} */
  const { createGatewayBackend } = await import(backendModule);
  const backend = createGatewayBackend({ home, limits: { unusedKernelSeconds: 6, idleSeconds: 1 } });
  const kernel = await backend.start({ interpreter, cwd: "/", env });
  console.log(kernel.info.pid);
  for await (const _ of kernel.execute("while True: print('x', flush=True)"));
} else {
  /** @type {typeof import("../../../../src/kernel/gateway/shared/shared-gateway.ts")} */
  const { acquireSharedGateway } = await import(sharedModule);
  const limits = { unusedKernelSeconds: 60, idleSeconds: 60 };
  const record = await acquireSharedGateway({ home, interpreter, gatewayInterpreter: interpreter, env, limits });
  console.log(record.pid);
}
