import { describe, expect, it } from "vitest";
import { findPlottedField, isPlottedAccessor, plottedNumber } from "./plotted-value.ts";

describe("what a chart plots", () => {
  it.each([
    ["result", undefined, true],
    ["result[0]", undefined, true],
    ["float(result)", undefined, true],
    ["default(result, 0)", undefined, true],
    ["default(result[0], 0.5)", undefined, true],
    ["result.p99", "p99", true],
    ['result["p 99"]', "p 99", true],
    ["default(result.p99, 0)", "p99", true],
    ["result[0].p99", "p99", true],
    ["result.p99", undefined, false],
    ["result.p50", "p99", false],
    ["len(result)", undefined, false],
    ["result[1]", undefined, false],
    ["result.a.b", "a", false],
  ])("%s with field %s: %s", (accessor, field, isPlotted) => {
    expect(isPlottedAccessor(accessor, field)).toBe(isPlotted);
  });

  it("is the first field with a limit, unless the value itself has one", () => {
    const objects = [{ value: '{"p99":1,"p50":1}', parsed: { kind: "object" as const } }];
    const of = (...accessors: string[]) =>
      findPlottedField(
        accessors.map((accessor) => ({ accessor })),
        objects,
      );
    expect(
      findPlottedField([{ accessor: "result.p99" }], [{ value: "1", parsed: { kind: "number" } }]),
    ).toBeUndefined();
    expect(of("result.p99", "result.p50")).toBe("p99");
    expect(of("len(result)", "result.p50")).toBe("p50");
    expect(of("result.p99", "result[0]")).toBeUndefined();
    expect(of()).toBeUndefined();
  });

  it.each([
    ['{"p99":0.1}', "p99", 0.1],
    ['[{"p99":0},{"p99":1}]', "p99", 0],
    ['{"p99":"0.1"}', "p99", undefined],
    ['{"p50":1}', "toString", undefined],
    ["[0.5]", "p99", undefined],
    [null, "p99", undefined],
    ["12", undefined, 12],
  ])("reads of %s by %s: %s", (value, field, number) => {
    expect(plottedNumber({ value, parsed: { kind: "number", number: 12 } }, field)).toBe(number);
  });
});
