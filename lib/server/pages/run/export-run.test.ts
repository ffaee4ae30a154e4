import { expect, it } from "vitest";
import type { Measurement } from "#lib/contract/analysis-run.ts";
import { formatMeasurementCsv, measurementCsvHeader } from "./export-run.ts";

const measurement: Measurement = {
  metric: "rate",
  seq: 3,
  startedAt: "2026-11-20T10:00:12.000Z",
  finishedAt: "2026-11-20T10:00:12.500Z",
  durationSeconds: 0.5,
  phase: "Inconclusive",
  value: "[0.94]",
  parsed: { kind: "array", number: 0.94 },
  message: "",
  superseded: false,
};
const start = "2026-11-20T10:00:00.000Z";

it.each<{ name: string; more: Partial<Measurement>; start: string | null; line: string }>([
  {
    name: "a value",
    more: {},
    start,
    line: "rate,3,Inconclusive,2026-11-20T10:00:12.000Z,2026-11-20T10:00:12.500Z,12.5,[0.94],0.94,yes,,",
  },
  {
    name: "no value, no end, and another that counts",
    more: { finishedAt: null, value: null, parsed: { kind: "empty" }, superseded: true },
    start: null,
    line: "rate,3,Inconclusive,2026-11-20T10:00:12.000Z,,,,,no,,",
  },
  {
    name: "zero and negative numbers, which stay numbers",
    more: { value: "-1", parsed: { kind: "number", number: -1 }, finishedAt: start, startedAt: start },
    start,
    line: "rate,3,Inconclusive,2026-11-20T10:00:00.000Z,2026-11-20T10:00:00.000Z,0,'-1,-1,yes,,",
  },
  {
    name: "hostile text",
    more: { metric: "=cmd()", value: '@a "b"', parsed: { kind: "string" }, message: "+1,\n2" },
    start,
    line: `'=cmd(),3,Inconclusive,2026-11-20T10:00:12.000Z,2026-11-20T10:00:12.500Z,12.5,"'@a ""b""",,yes,"'+1,\n2",`,
  },
  {
    name: "what its source noted",
    more: { metadata: { "job-name": "=check", confidence: "42" } },
    start,
    line: `rate,3,Inconclusive,2026-11-20T10:00:12.000Z,2026-11-20T10:00:12.500Z,12.5,[0.94],0.94,yes,,"{""job-name"":""=check"",""confidence"":""42""}"`,
  },
])("writes $name", ({ more, start: runStart, line }) => {
  expect(formatMeasurementCsv({ ...measurement, ...more }, runStart)).toBe(line);
});

it("has a cell for each column", () => {
  expect(formatMeasurementCsv(measurement, start).split(",")).toHaveLength(measurementCsvHeader.split(",").length);
});
