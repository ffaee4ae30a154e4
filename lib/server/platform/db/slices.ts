import { setImmediate as rest } from "node:timers/promises";

/** Work on a large object, or on many, blocks the process's other work for about this long. */
const sliceMs = 5;

export type Slices = {
  /** Whether the work has used up its slice: time for `rest`. */
  readonly isOver: boolean;
  /** Lets other work have its turn. */
  rest(): Promise<void>;
};

/** Starts cutting the following work into slices. The caller awaits each rest, so the work cannot overtake itself. */
export function startSlices(
  { now, wait }: { now(): number; wait(): Promise<void> } = { now: () => performance.now(), wait: () => rest() },
): Slices {
  let begun = now();
  return {
    get isOver() {
      return now() - begun >= sliceMs;
    },
    async rest() {
      await wait();
      begun = now();
    },
  };
}

/** Converts items one after the other, in slices. */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  convert: (item: Item) => Result,
  slices: Slices = startSlices(),
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    if (slices.isOver) await slices.rest();
    results.push(convert(item));
  }
  return results;
}

/** Runs a generator to its end, in slices. */
export async function runInSlices<Result>(
  steps: Generator<undefined, Result, undefined>,
  slices: Slices = startSlices(),
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slices.isOver) await slices.rest();
  }
}
