import type { ConditionAnswer, RunAnswer } from "./compare.ts";
import type { ConditionCase } from "./generate-conditions.ts";
import type { RunCase } from "./generate-runs.ts";

/** Cases with the answers of a version of Argo Rollouts. */
export type OracleSample = {
  version: string;
  conditions: readonly (ConditionCase & Pick<ConditionAnswer, "phase" | "err">)[];
  runs: readonly (RunCase & { status: NonNullable<RunAnswer["run"]>["status"] })[];
};

/** Formats a sample with one case a line. */
export function formatSample({
  version,
  conditions,
  phases,
  runs,
  statuses,
}: {
  version: string;
  conditions: readonly ConditionCase[];
  phases: ReadonlyMap<number, ConditionAnswer>;
  runs: readonly RunCase[];
  statuses: ReadonlyMap<number, RunAnswer>;
}): string {
  const lines = (cases: readonly object[]): string => cases.map((one) => `    ${JSON.stringify(one)}`).join(",\n");
  const asked = conditions.map((one) => ({ ...one, ...phases.get(one.id) }));
  const played = runs.map((one) => ({ ...one, status: statuses.get(one.id)?.run?.status }));
  return `{\n  "version": "${version}",\n  "conditions": [\n${lines(asked)}\n  ],\n  "runs": [\n${lines(played)}\n  ]\n}\n`;
}
