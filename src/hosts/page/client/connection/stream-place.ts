/**
 * A browser opens at most six connections to one host, for all of its tabs together. Of these, so many may be streams; the
 * others are for requests.
 */
const mostStreams = 4;
/** Hidden tabs hand over a place within this time. */
const handOverMs = 100;

/** A place among the streams of this browser. */
export interface StreamPlace {
  /** Aborted when a visible tab needs the place, and this one is hidden. */
  readonly wanted: AbortSignal;
  release(): void;
}

const channel = new BroadcastChannel("granary-streams");

/** Null when other tabs have all places. A visible tab gets that of a hidden one. */
export async function takePlace(): Promise<StreamPlace | null> {
  const found = await findPlace();
  if (found !== null || document.hidden) return found;
  channel.postMessage("wanted");
  await new Promise((resolve) => setTimeout(resolve, handOverMs));
  return findPlace();
}

async function findPlace(): Promise<StreamPlace | null> {
  for (let number = 1; number <= mostStreams; number++) {
    const place = await lock(`granary-stream-${number}`);
    if (place !== null) return place;
  }
  return null;
}

/** The browser releases the locks of a tab that is closed or crashes. */
function lock(name: string): Promise<StreamPlace | null> {
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (held) => {
      if (held === null) return resolve(null);
      return new Promise<void>((release) => resolve(placeUntil(release)));
    });
  });
}

function placeUntil(released: () => void): StreamPlace {
  const wanted = new AbortController();
  const handOver = (): void => {
    if (document.hidden) wanted.abort();
  };
  channel.addEventListener("message", handOver);
  const release = (): void => {
    channel.removeEventListener("message", handOver);
    released();
  };
  return { wanted: wanted.signal, release };
}
