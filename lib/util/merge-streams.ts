type Outcome<Item> = { stream: AsyncGenerator<Item>; next?: IteratorResult<Item>; error?: unknown };

/**
 * Yields the items of all streams as they arrive, the first come first. One item of each stream waits at most, so a
 * slow reader slows all of them down. Ends with the last one; an error of one is thrown.
 */
export async function* mergeStreams<Item>(streams: readonly AsyncGenerator<Item>[]): AsyncGenerator<Item, void, void> {
  const arrived: Outcome<Item>[] = [];
  let wake = (): void => {};
  // Not a race of promises: those of a quiet stream would collect a reaction for every item of the others.
  const note = (outcome: Outcome<Item>): void => {
    arrived.push(outcome);
    wake();
  };
  const ask = (stream: AsyncGenerator<Item>): void => {
    stream.next().then(
      (next) => note({ stream, next }),
      (error: unknown) => note({ stream, error }),
    );
  };
  let open = streams.length;
  for (const stream of streams) ask(stream);
  while (open > 0) {
    const outcome = arrived.shift();
    if (outcome === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    if (outcome.next === undefined) throw outcome.error;
    if (outcome.next.done === true) open -= 1;
    else {
      ask(outcome.stream);
      yield outcome.next.value;
    }
  }
}
