// A host that runs one command and prints how it ended. Arguments: the folder of the compiled or plain sources, their
// extension, the folder to run in, the command.
const [sources, ending, cwd, command] = process.argv.slice(2);
const { runBash } = await import(`${sources}/shell/run-bash.${ending}`);
const { ExecutionCapture } = await import(`${sources}/output/execution-capture.${ending}`);
const capture = new ExecutionCapture();
const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: cwd };
const { status, leftRunning } = await runBash(command, { cwd, env, snapshot: null, venvBin: null, capture });
const { output } = await capture.finish();
const background = leftRunning?.pids().length ?? 0;
await leftRunning?.end();
console.log(JSON.stringify({ status, output, background }));
