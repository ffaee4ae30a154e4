import { expect, it } from "vitest";
import { type ParsedMeasurementValue, parseMeasurementValue } from "./measurement-value.ts";

it.each<[string | undefined, ParsedMeasurementValue]>([
  [undefined, { kind: "empty" }],
  ["", { kind: "empty" }],
  ["  ", { kind: "empty" }],
  ["null", { kind: "empty" }],
  ["0", { kind: "number", number: 0 }],
  ["-0.5", { kind: "number", number: -0.5 }],
  ["10.00", { kind: "number", number: 10 }],
  ["1e-05", { kind: "number", number: 0.00001 }],
  ["0.0003332881882246533", { kind: "number", number: 0.0003332881882246533 }],
  ["NaN", { kind: "nan" }],
  ["+Inf", { kind: "+inf" }],
  ["-Inf", { kind: "-inf" }],
  ["9007199254740992", { kind: "number", number: 9007199254740992 }],
  ["9007199254740993", { kind: "number", number: 9007199254740992 }],
  // Prometheus writes the shortest digits that give the double.
  ["1764192600123456800", { kind: "number", number: 1764192600123456800 }],
  ["1e400", { kind: "number" }],
  ["1e-400", { kind: "number" }],
  ["0e5", { kind: "number", number: 0 }],
  ["[]", { kind: "array" }],
  ["[0.98,NaN]", { kind: "array", number: 0.98 }],
  ["[NaN,0.98]", { kind: "array" }],
  ["[0]", { kind: "array", number: 0 }],
  ["[10.000000,2]", { kind: "array", number: 10 }],
  ["[1 6.6]", { kind: "array", number: 1 }],
  ["[[0.1 0.2]]", { kind: "array", number: 0.1 }],
  ["[[1,2],[3]]", { kind: "array", number: 1 }],
  ["[9007199254740993]", { kind: "array", number: 9007199254740992 }],
  ["[123456789012345680000]", { kind: "array", number: 123456789012345680000 }],
  ['["a",1]', { kind: "array" }],
  ['[{"count":10}]', { kind: "array" }],
  ["[1,2", { kind: "unparsable" }],
  ["[1]]", { kind: "unparsable" }],
  ["[1] 2", { kind: "unparsable" }],
  ['{"a":1}', { kind: "object" }],
  ["{a", { kind: "unparsable" }],
  ['"1.2"', { kind: "string" }],
  ['"open', { kind: "unparsable" }],
  ["OK", { kind: "string" }],
  ["true", { kind: "string" }],
  ["0x10", { kind: "string" }],
])("%j", (text, expected) => {
  expect(parseMeasurementValue(text)).toEqual(expected);
});

it("reads long values of digits, however they end, without trying every way to cut them", () => {
  const digits = "1".repeat(400_000);
  expect(parseMeasurementValue(`${digits}x`)).toEqual({ kind: "string" });
  expect(parseMeasurementValue(`[${digits}x]`)).toEqual({ kind: "array" });
});
