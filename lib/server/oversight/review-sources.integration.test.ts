import type { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OversightScope } from "#lib/domain/oversight/scope.ts";
import { sourceRules } from "#lib/domain/oversight/source-rules.ts";
import { createFailClosedWorld, type FailClosedWorld } from "#test/fail-closed/world.ts";
import { waitFor } from "#test/recorder-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { reviewSources } from "./review-sources.ts";

/** Faults of the sandbox's API server, and the findings of the rules about sources. */

let world: FailClosedWorld;
let pool: Pool;
beforeEach(async () => {
  world = await createFailClosedWorld();
  pool = createTestPool(world.database.recorderUrl, 2);
  for (let index = 0; index < 10; index++) world.addRollout(`shop-${index}`);
});
afterEach(async () => {
  await pool.end();
  await world.close();
});

const forLong = { confirmAfterMs: [600_000, 600_000] };

const off = (scope: Partial<OversightScope["scope"]>): OversightScope => ({
  scope: { clusters: ["*"], namespaces: ["*"], rollouts: ["*"], ...scope },
  ...{ off: ["source-not-live"], limits: {} },
});

/** Resolves with the findings about sources as "rule severity: title", or "rule closed: title". */
async function find(...scopes: OversightScope[]): Promise<string[]> {
  await reviewSources({ pool, clusters: [world.cluster], scopes });
  const rows = await world.query<{ text: string }>(
    `SELECT concat(rule, ' ', CASE WHEN closed_at IS NULL THEN severity ELSE 'closed' END, ': ', title) AS text
       FROM finding WHERE about = 'source' ORDER BY 1`,
  );
  return rows.map(({ text }) => text);
}

/** Makes the last contact of the source so many seconds old. The recorder is not told. */
async function age(kind: string, seconds: number): Promise<void> {
  await world.query(
    "UPDATE source SET read_contact_at = now() - make_interval(secs => $2), watch_contact_at = now() - make_interval(secs => $2) WHERE kind = $1",
    [kind, seconds],
  );
}

describe("source-not-live", () => {
  it("is found if the cluster refuses for longer than a restart takes, and closed when it answers again", async () => {
    await world.start();
    for (const verb of ["list", "watch"] as const) world.fault("403", "rollouts", { verb });
    await world.becomes("Rollout", "denied");
    // Nearly: this may be a restart of the API server.
    expect(await find()).toEqual([]);
    await age("Rollout", 124);
    expect(await find()).toEqual(["source-not-live critical: Source Rollout is refused by the cluster"]);
    // A scope that names namespaces says nothing about a whole cluster.
    const found = await find(off({ namespaces: ["shop"] }), off({ clusters: ["other"] }));
    expect(found).toEqual(["source-not-live critical: Source Rollout is refused by the cluster"]);
    expect(await find(off({ clusters: [world.cluster] }))).toEqual([
      "source-not-live closed: Source Rollout is refused by the cluster",
    ]);
    expect(await find()).toEqual(found);
    world.fault("none");
    await world.becomes("Rollout", "live");
    expect(await find()).toEqual(["source-not-live closed: Source Rollout is refused by the cluster"]);
  });
});

describe("disappearance-held", () => {
  it("is found if most of a list is gone", async () => {
    await world.start({ timing: forLong });
    world.fault("shrink", "rollouts");
    await world.relist("rollouts");
    await world.becomes("Rollout", "suspect");
    expect(await find()).toEqual(["disappearance-held critical: 6 objects of kind Rollout seem to be gone"]);
  });

  it("is not found if a few are deleted", async () => {
    await world.start({ timing: forLong });
    for (const index of [6, 7, 8, 9]) world.deleteRollout(`shop-${index}`);
    await waitFor("four deletions", async () => {
      return Object.values(await world.presences()).filter((presence) => presence === "deleted").length === 4;
    });
    expect(await find()).toEqual([]);
  });
});

it("every rule about sources is told here", () => {
  expect(sourceRules.map(({ id }) => id)).toEqual(["source-not-live", "disappearance-held"]);
});
