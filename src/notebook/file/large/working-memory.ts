/** Fresh memory costs page faults and garbage collections, so the next edit uses it again, unless a collection came first. */
let idle: WeakRef<Buffer> | null = null;

/** Lends memory for some work, after which nothing may read or write there. */
export async function withMemory<T>(bytes: number, work: (memory: Buffer) => Promise<T>): Promise<T> {
  const found = idle?.deref();
  // Work at the same time gets memory of its own.
  if (found !== undefined) idle = null;
  const memory = found?.length === bytes ? found : Buffer.allocUnsafeSlow(bytes);
  try {
    return await work(memory);
  } finally {
    idle = new WeakRef(memory);
  }
}
