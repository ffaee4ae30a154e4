import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newestLanguage } from "#lib/expr/language.ts";
import { checkVerdicts, compareConditions, compareRuns } from "./compare.ts";
import type { OracleSample } from "./sample.ts";

// Made by `npm run test:oracle -- --conditions 400 --runs 60 --sample test/fixtures/oracle/1.10.2.json`.
const file = join(import.meta.dirname, "../fixtures/oracle/1.10.2.json");
const { conditions, runs } = JSON.parse(readFileSync(file, "utf8")) as OracleSample;
const phases = new Map(
  conditions.map(({ id, phase, err }) => [id, { id, phase, ...(err === undefined ? {} : { err }) }]),
);
const statuses = new Map(runs.map(({ id, status }) => [id, { id, run: status === undefined ? {} : { status } }]));

it("evaluates conditions as Argo Rollouts does", () => {
  expect(conditions.length).toBe(400);
  expect(new Set(conditions.map(({ phase }) => phase))).toEqual(
    new Set(["Successful", "Failed", "Inconclusive", "Error"]),
  );
  expect(compareConditions(conditions, phases, newestLanguage)).toEqual([]);
});

it("ends runs as Argo Rollouts does, with the same measurements at the same times", () => {
  expect(runs.length).toBe(60);
  expect(new Set(runs.map(({ status }) => status?.phase)).size).toBeGreaterThan(3);
  expect(compareRuns(runs, statuses, newestLanguage)).toEqual([]);
});

it("contradicts no verdict of Argo Rollouts", () => {
  expect(checkVerdicts(runs, statuses, newestLanguage)).toEqual([]);
  const opposite = { Successful: "Failed", Failed: "Successful", Inconclusive: "Successful", Error: "Failed" } as const;
  const wrong = new Map(
    [...statuses].map(([id, { run }]) => {
      const phase = opposite[run.status?.phase as keyof typeof opposite];
      return [id, { id, run: { status: { ...run.status, ...(phase === undefined ? {} : { phase }) } } }];
    }),
  );
  expect(checkVerdicts(runs, wrong, newestLanguage).length).toBeGreaterThan(20);
});

it("would find a difference", () => {
  const wrong = new Map(
    [...phases].map(([id, answer]) => [id, { ...answer, phase: answer.phase === "Error" ? "Failed" : "Error" }]),
  );
  expect(compareConditions(conditions, wrong, newestLanguage).length).toBeGreaterThan(350);
  const other = new Map(
    [...statuses].map(([id, { run }]) => [id, { id, run: { status: { ...run.status, message: "other" } } }]),
  );
  expect(compareRuns(runs, other, newestLanguage)).toHaveLength(60);
});
