import { describe, expect, it } from "vitest";
import { readEnvironment, readMaxLagMs } from "./environment.ts";

describe("the read replica's variables", () => {
  it("are not set if they are empty, as a chart may leave them", () => {
    const { databaseReadUrl, databaseReadMaxLagMs } = readEnvironment({
      DATABASE_READ_URL: "",
      DATABASE_READ_MAX_LAG_MS: "",
    });
    expect([databaseReadUrl, databaseReadMaxLagMs]).toEqual([undefined, undefined]);
  });

  it.each([
    [undefined, 5000],
    ["100", 100],
    ["60000", 60_000],
  ])("take %s as a lag of %i ms", (databaseReadMaxLagMs, expected) => {
    expect(readMaxLagMs({ databaseReadMaxLagMs })).toBe(expected);
  });

  it.each(["0", "99", "60001", "5s", "-1", "1e3", "Infinity"])("refuse %s", (databaseReadMaxLagMs) => {
    expect(() => readMaxLagMs({ databaseReadMaxLagMs })).toThrow(
      `DATABASE_READ_MAX_LAG_MS is ${databaseReadMaxLagMs}: it must be a number of milliseconds, 100 to 60000`,
    );
  });
});
