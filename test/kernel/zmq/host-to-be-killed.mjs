// A host that runs one cell and waits for its own death. Arguments: the module of the backend, a Python, the cell.
const [backendModule, interpreter, code] = process.argv.slice(2);
const { createZmqBackend } = await import(String(backendModule));
const kernel = await createZmqBackend().start({ interpreter, cwd: "/", env: process.env });
for await (const event of kernel.execute(code)) {
  if (event.type === "stream" && event.text.includes("ready")) console.log(kernel.info.pid);
}
setInterval(() => undefined, 1000); // also when the cell has ended, the host lives on until it is killed
