import { describe, expect, it } from "vitest";
import { experimentEndOf, parseExperiment } from "./experiment-object.ts";

const [early, late, end] = ["2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z", "2026-01-01T00:00:03Z"];
const templateStatuses = [
  { name: "a", lastTransitionTime: late },
  { name: "b", lastTransitionTime: early },
  { name: "c" },
];

describe("experimentEndOf", () => {
  it.each([
    { name: "no status", status: undefined, expected: undefined },
    { name: "goes on", status: { phase: "Running", templateStatuses }, expected: undefined },
    {
      name: "its condition says",
      status: {
        phase: "Failed",
        conditions: [{ type: "Completed", status: "True", lastTransitionTime: end }],
        templateStatuses,
      },
      expected: end,
    },
    {
      name: "a condition that does not hold",
      status: { phase: "Failed", conditions: [{ type: "Completed", status: "False", lastTransitionTime: end }] },
      expected: undefined,
    },
    { name: "only its ReplicaSets say", status: { phase: "Successful", templateStatuses }, expected: late },
  ])("$name", ({ status, expected }) => {
    const metadata = { name: "e", uid: "u", resourceVersion: "1" };
    const parsed = parseExperiment({ kind: "Experiment", metadata, spec: {}, status });
    expect(parsed.ok ? experimentEndOf(parsed.value) : parsed.reason).toBe(expected);
  });
});
