import { describe, expect, it } from "vitest";
import { describeLeftOut } from "#components/charts/describe-left-out.ts";

describe("describeLeftOut", () => {
  it("says nothing about a complete chart, and that a part is complete", () => {
    expect(describeLeftOut({ leftOut: undefined, drawn: 9, detail: "whole" })).toBeUndefined();
    expect(describeLeftOut({ leftOut: undefined, drawn: 9, detail: "loading" })).toBeUndefined();
    expect(describeLeftOut({ leftOut: undefined, drawn: 9, detail: "part" })).toEqual({
      note: "All measurements in view are drawn.",
    });
  });

  it("says how many are drawn, and that all that were not successful are", () => {
    expect(describeLeftOut({ leftOut: { count: 49_200, unsuccessful: 0 }, drawn: 800, detail: "whole" })).toEqual({
      note: "800 of 50,000 measurements are drawn: the first, last, least and greatest of each stretch, and all that were not successful. Zoom in to see more; the run's table has all of them.",
    });
  });

  it.each([
    { unsuccessful: 1, says: "1 measurement that was not successful is not drawn" },
    { unsuccessful: 1204, says: "1,204 measurements that were not successful are not drawn" },
  ])("warns of $unsuccessful that were not successful and are not drawn", ({ unsuccessful, says }) => {
    const said = describeLeftOut({ leftOut: { count: 2000, unsuccessful }, drawn: 800, detail: "whole" });
    expect(said?.warning).toContain(says);
    expect(said?.note).not.toContain("all that were not successful");
  });

  it.each([
    { detail: "loading", says: "Loading those in view." },
    { detail: "failed", says: "could not be loaded" },
    { detail: "part", says: "measurements in view are drawn" },
    { detail: undefined, says: "The run's table has all of them." },
  ] as const)("says what zooming does: $detail", ({ detail, says }) => {
    expect(describeLeftOut({ leftOut: { count: 1, unsuccessful: 0 }, drawn: 1, detail })?.note).toContain(says);
  });
});
