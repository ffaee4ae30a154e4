import { describe, expect, it } from "vitest";
import { quantile } from "./quantile.ts";
import { computeRate } from "./rate.ts";

describe("computeRate", () => {
  // The bounds are those of R's binom::binom.wilson.
  it.each([
    { count: 0, of: 0, rate: null, low: null, high: null },
    { count: 0, of: 1, rate: 0, low: 0, high: 0.793451 },
    { count: 1, of: 1, rate: 1, low: 0.206549, high: 1 },
    { count: 2, of: 3, rate: 2 / 3, low: 0.207659, high: 0.93851 },
    { count: 0, of: 10, rate: 0, low: 0, high: 0.277533 },
    { count: 5, of: 100, rate: 0.05, low: 0.021543, high: 0.111754 },
  ])("$count of $of", ({ count, of, rate, low, high }) => {
    const computed = computeRate(count, of);
    expect(computed).toMatchObject({ count, of });
    for (const [name, wanted] of Object.entries({ rate, low, high })) {
      const value = computed[name as "rate" | "low" | "high"];
      if (wanted === null) expect(value).toBeNull();
      else expect(value).toBeCloseTo(wanted, 4);
    }
  });
});

describe("quantile", () => {
  it.each([
    { values: [], share: 0.5, is: null },
    { values: [0], share: 0.9, is: 0 },
    { values: [3, 1], share: 0.5, is: 2 },
    { values: [4, 1, 3, 2], share: 0.5, is: 2.5 },
    { values: [0, 10], share: 0.9, is: 9 },
    { values: [5, 1, 9], share: 1, is: 9 },
    { values: [1e308, 1e308], share: 0.5, is: 1e308 },
  ])("$share of $values is $is", ({ values, share, is }) => {
    expect(quantile(values, share)).toBe(is);
  });

  it("leaves the values as they are", () => {
    const values = [3, 1, 2];
    quantile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });
});
