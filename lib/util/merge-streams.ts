type Outcome<Item> = { stream: AsyncGenerator<Item>; next?: IteratorResult<Item>; error?: unknown };

/**
 * Yields the items of all streams in the order of their arrival. At most one item of each stream waits, so a slow
 * reader slows down every stream. Ends when the last stream does; throws the error of any stream.
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
