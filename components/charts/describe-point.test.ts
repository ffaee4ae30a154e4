import { expect, it } from "vitest";
import { describePoint } from "#components/charts/describe-point.ts";
import { formatExact } from "#components/ui/format-time.ts";
import type { Measurement } from "#lib/contract/analysis-run.ts";

const measurement: Measurement = {
  metric: "rate",
  seq: 3,
  startedAt: "2026-11-20T10:00:00Z",
  finishedAt: "2026-11-20T10:00:01Z",
  durationSeconds: 1,
  phase: "Failed",
  value: "[0.85]",
  parsed: { kind: "array", number: 0.85 },
  message: "",
  superseded: false,
};

const finished = formatExact("2026-11-20T10:00:01Z");

it.each<[string, Partial<Measurement>, string]>([
  ["with its reason", { explanation: "0.85 < 0.90 fails." }, `No. 3: [0.85], Failed, ${finished}. 0.85 < 0.90 fails.`],
  ["without a reason", {}, `No. 3: [0.85], Failed, ${finished}`],
  ["without a value", { value: "<nil>" }, `No. 3: no value, Failed, ${finished}`],
  [
    "with a message that is the reason",
    { phase: "Error", value: null, message: "no route", explanation: "It could not be taken or judged: no route" },
    `No. 3: no value, Error, ${finished}, no route`,
  ],
])("a point is described %s", (_, more, text) => {
  const own = { ...measurement, ...more };
  const point = { seq: 3, atMs: 0, phase: own.phase, value: undefined, word: undefined, measurement: own };
  expect(describePoint(point)).toBe(text);
});

it("gives a ratio in percent", () => {
  const point = { seq: 3, atMs: 0, phase: measurement.phase, value: 0.85, word: undefined, measurement };
  expect(describePoint(point, "ratio")).toBe(`No. 3: 85 %, Failed, ${finished}`);
  expect(describePoint(point, "ms")).toBe(`No. 3: [0.85] ms, Failed, ${finished}`);
});
