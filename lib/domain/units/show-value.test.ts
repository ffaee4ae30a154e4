import { expect, it } from "vitest";
import { showLimit, showRecorded, showValue } from "./show-value.ts";

it.each([
  { recorded: "0.997296", shown: "0.9973" },
  { recorded: "512.36", shown: "512.4" },
  { recorded: "12345.678", shown: "12346" },
  { recorded: "-0.00012347", shown: "-0.0001235" },
  { recorded: "0.99996", shown: "0.99996" },
  { recorded: "1.0", shown: "1" },
  { recorded: "99.996", shown: "99.996" },
  { recorded: "0.00000012345", shown: "0.00000012345" },
  { recorded: "1234567890123456789012345.5", shown: "1234567890123456789012345.5" },
  { recorded: "0.5", shown: "0.5" },
  { recorded: "123456", shown: "123456" },
  { recorded: "NaN", shown: "NaN" },
  { recorded: "", shown: "no value" },
  { recorded: "null", shown: "no value" },
  { recorded: "<nil>", shown: "no value" },
  { recorded: '{"a":1.23456}', shown: '{"a":1.23456}' },
])("shows $recorded as $shown", ({ recorded, shown }) => {
  expect(showValue(recorded, null)).toBe(shown);
});

it.each([
  { recorded: "0.949996", limit: 0.95, shown: "0.949996" },
  { recorded: "0.95", limit: 0.95, shown: "0.95" },
  { recorded: "400.04", limit: 400, shown: "400.04" },
])("keeps $recorded on its side of $limit", ({ recorded, limit, shown }) => {
  expect(showValue(recorded, null, [limit])).toBe(shown);
});

it.each([
  { recorded: "0.9270833333333334", limits: [0.95, 0.9], shown: "92.71\u2009%" },
  { recorded: "0.9499996", limits: [0.95], shown: "94.99996\u2009%" },
  { recorded: "0.95", limits: [0.95], shown: "95\u2009%" },
  { recorded: "0.9499999999999999", limits: [0.95], shown: "94.99999999999998\u2009%" },
  { recorded: "0.9999999999999999", limits: [], shown: "99.99999999999999\u2009%" },
  { recorded: "0.57", limits: [], shown: "57\u2009%" },
  { recorded: "0.12345", limits: [], shown: "12.35\u2009%" },
  { recorded: "-0.0009", limits: [], shown: "-0.09\u2009%" },
  { recorded: "0.0014000000000000002", limits: [0.0014], shown: "0.14000000000000002\u2009%" },
  { recorded: "0.99999", limits: [], shown: "99.999\u2009%" },
  { recorded: "1", limits: [], shown: "100\u2009%" },
  { recorded: "1e-7", limits: [], shown: "0.00001\u2009%" },
  { recorded: "-0.02", limits: [], shown: "-2\u2009%" },
  { recorded: "NaN", limits: [0.95], shown: "NaN" },
  { recorded: "[0.927]", limits: [0.95], shown: "92.7\u2009%" },
  { recorded: "[]", limits: [], shown: "[]" },
])("shows the ratio $recorded as $shown", ({ recorded, limits, shown }) => {
  expect(showValue(recorded, "ratio", limits)).toBe(shown);
});

it("adds any other unit, and writes limits of ratios with all their digits", () => {
  expect(showValue("512.36", "ms")).toBe("512.4\u2009ms");
  expect(showLimit("0.90", "ratio")).toBe("90 %");
  expect(showLimit("0.99995", "ratio")).toBe("99.995 %");
  expect(showLimit("400", "ms")).toBe("400 ms");
  expect(showLimit("400", null)).toBe("400");
  expect(showLimit("500ms", null)).toBe("500 ms");
  expect(showLimit("99%", null)).toBe("99 %");
});

it.each([
  { recorded: "0.94996", unit: "ratio", shown: "94.996\u2009%" },
  { recorded: "[0.949999999]", unit: "ratio", shown: "94.9999999\u2009%" },
  { recorded: "512.3649", unit: "ms", shown: "512.3649\u2009ms" },
  { recorded: "0.94996", unit: null, shown: "0.94996" },
  { recorded: "NaN", unit: "ratio", shown: "NaN" },
  { recorded: "null", unit: "ratio", shown: "no value" },
])("writes $recorded in $unit with all its digits", ({ recorded, unit, shown }) => {
  expect(showRecorded(recorded, unit)).toBe(shown);
});
