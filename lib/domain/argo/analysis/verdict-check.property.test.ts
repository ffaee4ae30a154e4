import fc from "fast-check";
import { expect, it } from "vitest";
import { isCompleted } from "./phase.ts";
import { arbitraryPlan, playRun } from "./testing/play-run.ts";
import { checkVerdict } from "./verdict-check.ts";

it("what the engine did always agrees with its rules, or was ended early", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(arbitraryPlan, (given) => {
      const run = playRun(given);
      expect(isCompleted(run.phase)).toBe(true);
      const { state, findings } = checkVerdict(run);
      seen.add(`${state} ${run.phase}`);
      expect(findings.filter(({ kind }) => kind !== "flag")).toEqual([]);
      expect(state === "agrees" || (state === "ended-early" && run.spec.terminate === true)).toBe(true);
    }),
    { numRuns: 500 },
  );
  // The generator must reach every verdict, or the property would prove little.
  expect([...seen].map((each) => each.split(" ")[1])).toEqual(
    expect.arrayContaining(["Successful", "Failed", "Error", "Inconclusive"]),
  );
  expect([...seen]).toContain("ended-early Successful");
});

it("a verdict that was turned around never agrees", () => {
  fc.assert(
    fc.property(arbitraryPlan, fc.constantFrom("Successful", "Failed", "Error", "Inconclusive"), (given, phase) => {
      const run = playRun(given);
      fc.pre(run.phase !== phase && run.metrics.some(({ measurements }) => measurements.length > 0));
      expect(checkVerdict({ ...run, phase }).state).toBe("contradicts");
    }),
    { numRuns: 200 },
  );
});
