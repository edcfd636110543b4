/** Tells the stages of a start with the time since the process began and since the stage before, for `debug.startup`. */
export function stageTeller(write: (line: string) => void): (stage: string) => void {
  let before = 0;
  return (stage) => {
    const now = performance.now();
    write(`startup ${now.toFixed(1)} ms (+${(now - before).toFixed(1)}) ${stage}\n`);
    before = now;
  };
}
