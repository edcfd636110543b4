// For a program that must crash on the test's signal: this exception has no handler.
process.on("SIGUSR2", () => {
  throw new Error("a mistake of ours");
});
