// A host that runs one cell and waits for its own death. Says the kernel's pid, and when the cell has ended.
// Arguments: the module of the backend, a Python, the cell.
const [backendModule, interpreter, code] = process.argv.slice(2);
const { createZmqBackend } = await import(String(backendModule));
const kernel = await createZmqBackend().start({ interpreter, cwd: "/", env: process.env });
console.log(kernel.info.pid);
for await (const _event of kernel.execute(code));
console.log("idle");
setInterval(() => undefined, 1000); // also when the cell has ended, the host lives on until it is killed
