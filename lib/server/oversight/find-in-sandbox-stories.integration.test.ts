import { readFileSync } from "node:fs";
import type { Pool } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rolloutRules } from "#lib/domain/oversight/rollout-rules.ts";
import { evaluationWorker } from "#lib/server/platform/config/program-files.ts";
import { createEvaluationPool, type EvaluationPool } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import { checkDueVerdicts } from "#lib/server/recording/upkeep/check-verdicts.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { markSettled } from "#test/mark-settled.ts";
import { playStory } from "#test/oversight/play-story.ts";
import { stories } from "#test/oversight/stories.ts";
import { recordEntries } from "#test/record-entries.ts";
import { createTestPool } from "#test/test-pool.ts";
import { reviewFindings } from "./review-findings.ts";
import { reviewObservations } from "./review-observations.ts";

/** Plays a story per rule in the sandbox, and one that nearly is one, each as a cluster of its own. */

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let evaluations: EvaluationPool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.recorderUrl, 2);
  owner = createTestPool(database.ownerUrl, 2);
  evaluations = createEvaluationPool({ file: evaluationWorker, threads: 1 });
});
afterAll(async () => {
  await Promise.all([pool.end(), owner.end(), evaluations.close()]);
  await database.drop();
});

const fail = (error: unknown): never => {
  throw error;
};

it.each(stories)("$rule: $name", async (story) => {
  const number = stories.indexOf(story) + 1;
  const cluster = `story-${number}`;
  const { events, end } = await playStory(story, number);
  await recordEntries(pool, cluster, events);
  while ((await checkDueVerdicts({ pool, evaluations, log: pino({ level: "silent" }) })).stored > 0);
  await reviewObservations({ pool, place: { seen: 0n }, onError: fail });
  await markSettled(pool);
  await reviewFindings({ pool, scopes: [], maxRollouts: 1000, now: end, onError: fail });
  const { rows } = await owner.query<{ text: string }>(
    `SELECT concat(rule, ' ', CASE WHEN closed_at IS NULL THEN severity ELSE 'closed' END, ': ', title) AS text
       FROM finding WHERE cluster = $1 ORDER BY since, 1`,
    [cluster],
  );
  expect(rows.map(({ text }) => text)).toEqual(story.found);
});

/** These need an action of Gatehouse itself: their stories are beside it. */
const elsewhere: Readonly<Record<string, string>> = {
  "held-by-gatehouse": "lib/server/holds/place-hold.integration.test.ts",
  "action-without-effect": "lib/server/acting/follow/without-effect.integration.test.ts",
};

describe("the stories", () => {
  it.each(rolloutRules.map(({ id }) => id))("raise %s, and nearly do", (id) => {
    const file = elsewhere[id];
    if (file !== undefined)
      return expect(readFileSync(file, "utf8").includes(`"${id}"`), `${file} names it`).toBe(true);
    const own = stories.filter(({ rule }) => rule === id);
    const isRaised = ({ found }: (typeof own)[number]) => found.some((text) => text.startsWith(`${id} `));
    expect(own.some(isRaised)).toBe(true);
    expect(own.some((story) => !isRaised(story))).toBe(true);
  });
});
