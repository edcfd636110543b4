// For a program that is to crash when the test says so: what is thrown here nobody catches.
process.on("SIGUSR2", () => {
  throw new Error("a mistake of ours");
});
