import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";
import { linkEvents } from "./link-events.ts";

let database: TestDatabase;
let owner: Pool;
let recorder: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl, 2);
  recorder = createTestPool(database.recorderUrl, 2);
});
afterEach(async () => {
  await Promise.all([owner.end(), recorder.end()]);
  await database.drop();
});

async function addEvent({ about, kind, minutesAgo }: { about: string; kind: string; minutesAgo: number }) {
  await owner.query(
    `INSERT INTO kube_event (uid, cluster, namespace, involved_kind, involved_name, involved_uid, type, reason, message,
       count, first_at, last_at, resource_version, updated_at)
     VALUES ($1, 'test', 'shop', $2, $3, $3, 'Normal', 'r', 'm', 1, now(), now(), '1', now() - make_interval(mins => $4))`,
    [`event of ${about}`, kind, about, minutesAgo],
  );
}

async function addRun(uid: string): Promise<string> {
  const rolloutId = randomUUID();
  await owner.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, phase, message, spec, resource_version,
       created_at, updated_at) VALUES ($1, $2, 'test', 'shop', $1, 'step', 'Running', '', '{}', '1', now(), now())`,
    [uid, rolloutId],
  );
  return rolloutId;
}

const linked = async (): Promise<Record<string, string | null>> => {
  const { rows } = await owner.query<{ involved_uid: string; rollout_id: string | null }>(
    "SELECT involved_uid, rollout_id FROM kube_event ORDER BY involved_uid",
  );
  return Object.fromEntries(rows.map((row) => [row.involved_uid, row.rollout_id]));
};

describe("linkEvents", () => {
  it("gives the newest their rollout, however many wait for ever", async () => {
    for (let index = 0; index < 40; index++)
      await addEvent({ about: `lost-${index}`, kind: "AnalysisRun", minutesAgo: 60 });
    await addEvent({ about: "found", kind: "AnalysisRun", minutesAgo: 0 });
    const rolloutId = await addRun("found");
    expect(await linkEvents(recorder, { maxEvents: 5 })).toEqual({ linked: 1 });
    expect(await linked()).toMatchObject({ found: rolloutId, "lost-1": null });
  });

  it("lets go of the events of pods that turn out to be nobody's", async () => {
    await addEvent({ about: "young", kind: "Pod", minutesAgo: 1 });
    await addEvent({ about: "old", kind: "Pod", minutesAgo: 6 });
    await addEvent({ about: "node-exporter", kind: "DaemonSet", minutesAgo: 6 });
    await addEvent({ about: "run", kind: "AnalysisRun", minutesAgo: 6 });
    expect(await linkEvents(recorder)).toEqual({ linked: 0 });
    expect(await linked()).toEqual({ young: null, run: null });
  });
});
