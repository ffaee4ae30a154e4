import { createRandom } from "#test/seeded-random.ts";

/** Chooses by a seed: the same seed gives the same choices. */
export type Chooser = {
  /** Returns a number in [0, 1). */
  share(): number;
  /** Returns true with this probability. */
  may(probability: number): boolean;
  of<Value>(values: readonly Value[]): Value;
  /** Returns a whole number from `low` to `high`. */
  between(low: number, high: number): number;
  times<Value>(count: number, make: () => Value): Value[];
};

export function createChooser(seed: number): Chooser {
  const share = createRandom(seed);
  const between = (low: number, high: number): number => low + Math.floor(share() * (high - low + 1));
  return {
    share,
    may: (probability) => share() < probability,
    between,
    of<Value>(values: readonly Value[]): Value {
      const value = values[between(0, values.length - 1)];
      if (value === undefined) throw new Error("nothing to choose from");
      return value;
    },
    times: (count, make) => Array.from({ length: count }, make),
  };
}
