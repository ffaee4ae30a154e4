import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { type DeletableRun, selectRunsToDelete } from "./select-runs-to-delete.ts";

type Case = {
  id: string;
  replicaSets: { podHash: string; deleting: boolean }[];
  runs: DeletableRun[];
  limits: { successful: number; unsuccessful: number };
  expect: { deleted?: string[]; deletedCount?: number };
};

it.each(loadCases<Case>("analysis-analysis-run-gc"))("$id", (testCase) => {
  const deleted = selectRunsToDelete(testCase).map((run) => run.name);
  if (testCase.expect.deleted !== undefined) expect([...deleted].sort()).toEqual([...testCase.expect.deleted].sort());
  else expect(deleted).toHaveLength(testCase.expect.deletedCount ?? -1);
});

it("deletes the oldest of each kind and never a running one", () => {
  const run = (name: string, phase: DeletableRun["phase"], createdAt: number) => ({
    name,
    phase,
    createdAt,
    podHash: "a",
  });
  const runs = [
    run("old-failed", "Failed", 1),
    run("old-ok", "Successful", 2),
    run("running", "Running", 0),
    run("new-ok", "Successful", 3),
    run("new-inconclusive", "Inconclusive", 4),
  ];
  const deleted = selectRunsToDelete({
    runs,
    replicaSets: [{ podHash: "a" }],
    limits: { successful: 1, unsuccessful: 1 },
  });
  expect(deleted.map(({ name }) => name)).toEqual(["old-ok", "old-failed"]);
});
