/** A hidden tab draws no frames. */
const longestWaitMs = 500;

/** Collects events, and hands on those of one frame together: the page is drawn once for all of them. */
export function inFrames<Event>(take: (events: readonly Event[]) => void): (event: Event) => void {
  let waiting: Event[] = [];
  let isScheduled = false;
  const flush = (): void => {
    if (!isScheduled) return;
    isScheduled = false;
    const events = waiting;
    waiting = [];
    take(events);
  };
  return (event) => {
    waiting.push(event);
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(flush);
    setTimeout(flush, longestWaitMs);
  };
}
