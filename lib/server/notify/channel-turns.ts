export type ChannelTurns<Channel> = {
  /**
   * Starts the turn of each channel that has none under way, and returns without waiting. Throws the first error of a
   * turn since the last call.
   */
  start(channels: readonly Channel[]): void;
  /** Resolves when no turn is under way. Rejects if one failed since the last call. */
  settle(): Promise<void>;
};

/** Channels that may send at once. A channel that hangs keeps its place until its request times out. */
const defaultAtOnce = 32;

/**
 * Gives each channel its own turns: one that hangs delays no other. A channel has one turn at a time, so its messages
 * stay in order. Beyond `maxAtOnce`, channels wait in the order in which they came.
 */
export function createChannelTurns<Channel extends { name: string }>({
  work,
  maxAtOnce = defaultAtOnce,
}: {
  work: (channel: Channel) => Promise<void>;
  maxAtOnce?: number;
}): ChannelTurns<Channel> {
  const waiting = new Map<string, Channel>();
  const underWay = new Map<string, Promise<void>>();
  const failures: unknown[] = [];

  async function run(channel: Channel): Promise<void> {
    try {
      await work(channel);
    } catch (error) {
      failures.push(error);
    } finally {
      underWay.delete(channel.name);
      startNext();
    }
  }

  function startNext(): void {
    for (const [name, channel] of waiting) {
      if (underWay.size >= maxAtOnce) return;
      waiting.delete(name);
      underWay.set(name, run(channel));
    }
  }

  function throwFailure(): void {
    const [first] = failures;
    if (failures.splice(0).length > 0) throw first;
  }

  return {
    start(channels) {
      const names = new Set(channels.map(({ name }) => name));
      for (const name of waiting.keys()) if (!names.has(name)) waiting.delete(name);
      for (const channel of channels) if (!underWay.has(channel.name)) waiting.set(channel.name, channel);
      startNext();
      throwFailure();
    },
    async settle() {
      while (underWay.size > 0) await Promise.all(underWay.values());
      throwFailure();
    },
  };
}
