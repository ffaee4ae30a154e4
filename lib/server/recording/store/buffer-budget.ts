/** Limits the total size of the buffers of all sources of a process. Each source also has its own, smaller bound. */
export type BufferBudget = {
  readonly isFull: boolean;
  take(bytes: number): void;
  give(bytes: number): void;
  /** Calls `listener` when there is room after there was none. Returns how to stop listening. */
  onRoom(listener: () => void): () => void;
};

/** Bytes as the clusters sent them; the parsed objects take a few times as many. */
const defaultMaxBytes = 128 * 2 ** 20;

export function createBufferBudget({ maxBytes = defaultMaxBytes }: { maxBytes?: number } = {}): BufferBudget {
  const listeners = new Set<() => void>();
  let taken = 0;
  const isFull = (): boolean => taken >= maxBytes;
  return {
    get isFull() {
      return isFull();
    },
    take(bytes) {
      taken += bytes;
    },
    give(bytes) {
      const wasFull = isFull();
      taken -= bytes;
      if (wasFull && !isFull()) for (const listener of [...listeners]) listener();
    },
    onRoom(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
