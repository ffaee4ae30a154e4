import { expect, it } from "vitest";
import { roundValue } from "#components/ui/round-value.ts";

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
  { recorded: "", shown: "" },
  { recorded: '{"a":1.23456}', shown: '{"a":1.23456}' },
])("shows $recorded as $shown", ({ recorded, shown }) => {
  expect(roundValue(recorded)).toBe(shown);
});

it.each([
  { recorded: "0.949996", limit: 0.95, shown: "0.949996" },
  { recorded: "0.95", limit: 0.95, shown: "0.95" },
  { recorded: "400.04", limit: 400, shown: "400.04" },
])("keeps $recorded on its side of $limit", ({ recorded, limit, shown }) => {
  expect(roundValue(recorded, [limit])).toBe(shown);
});
