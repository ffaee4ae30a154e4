import { setImmediate as rest } from "node:timers/promises";

/** Work on a large object, or on many, keeps the process's other work waiting for about so long. */
const sliceMs = 5;

export type Slices = {
  /** Whether the work has lasted for a slice: time for `rest`. */
  readonly isOver: boolean;
  /** Lets the others have their turn. */
  rest(): Promise<void>;
};

/** Cuts the work that follows. Who does it waits for each rest: nothing of the same work may overtake it. */
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

/** Runs what comes in steps to its end, in slices. */
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
