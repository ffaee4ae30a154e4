import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { DeploymentsChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { createNotifyWorld } from "#test/notify-world.ts";
import { queueDeployments } from "./queue-deployments.ts";

const commit = "0123456789abcdef0123456789abcdef01234567";
const annotations = { "gatehouse.dev/repository": "shop/web", "gatehouse.dev/commit": commit };

let world: Awaited<ReturnType<typeof createNotifyWorld>>;
beforeAll(async () => {
  world = await createNotifyWorld((fileOf) => ({
    channels: [
      {
        ...{ name: "code", type: "deployments", provider: "github", token: fileOf("token", "t") },
        repositories: ["shop/*"],
      },
    ],
  }));
  await queue();
});
beforeEach(async () => {
  await world.query("DELETE FROM notification");
  await world.query("DELETE FROM rollout");
  await queue();
});
afterAll(() => world.close());

const channelOf = (change: object = {}) => ({ ...world.config.channels[0], ...change }) as DeploymentsChannelConfig;

/** A pass of the upkeep, so many seconds after now. */
async function queue({ seconds = 10, channel = {} }: { seconds?: number; channel?: object } = {}): Promise<void> {
  const now = new Date(Date.now() + seconds * 1000);
  await queueDeployments({ pool: world.pool, channels: [channelOf(channel)], now });
}

type Given = { template?: object | null; object?: object; startedSecondsAgo?: number; namespace?: string };

/** Stores a release that began now, with the annotations of its pod template and its rollout. */
async function begin({ template = annotations, object = {}, startedSecondsAgo = 0, namespace = "shop" }: Given = {}) {
  const [rollout, release, digest] = [randomUUID(), randomUUID(), randomUUID()];
  await world.query("INSERT INTO cluster (name) VALUES ('prod') ON CONFLICT DO NOTHING");
  await world.query(
    `INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
       resource_version, object, updated_at)
     VALUES ($1, 'prod', $2, 'Rollout', 'web', gen_random_uuid(), 'Progressing', '', 5, '', 'abc', '1', '{}', now())`,
    [rollout, namespace],
  );
  await world.query(
    `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, images, started_at, updated_at)
     VALUES ($1, $2, 'abc', 1, 'progressing', '', '["shop/web:v2.3.0"]',
       clock_timestamp() - make_interval(secs => $3), now())`,
    [release, rollout, startedSecondsAgo],
  );
  await world.query(
    `INSERT INTO observation (rollout_id, observed_at, resource_version, view_digest, provider, run_key, projection, object)
     VALUES ($1, clock_timestamp(), '1', '', 'argo', 'abc', '{}', $2)`,
    [rollout, JSON.stringify({ metadata: { annotations: object } })],
  );
  if (template !== null) {
    await world.query("INSERT INTO recorded_part (digest, content) VALUES ($1, $2)", [
      digest,
      JSON.stringify({ metadata: { annotations: template } }),
    ]);
    await world.query(
      `INSERT INTO replica_set (uid, cluster, namespace, name, rollout_id, pod_hash, template_digest, replicas, ready,
         available, desired, created_at, updated_at)
       VALUES ($1, 'prod', $2, 'web-abc', $3, 'abc', $1, 1, 1, 1, 1, now(), now())`,
      [digest, namespace, rollout],
    );
  }
  return release;
}

const end = (release: string, state: string) =>
  world.query("UPDATE release SET state = $2, ended_at = clock_timestamp() WHERE id = $1", [release, state]);

/** The messages, in the order in which they are sent. */
const reports = async () =>
  (await world.query("SELECT title, incident_step AS step, events FROM notification ORDER BY incident_step")).map(
    ({ title, step, events }) => ({ title, step, ...events[0].deployment }),
  );

it("reports the beginning and the end of a release, each once", async () => {
  const release = await begin();
  const named = { repository: "shop/web", commit, environment: "prod/shop/web" };
  for (let pass = 0; pass < 2; pass++) await queue();
  const began = { ...named, step: 0, status: "in_progress", title: "shop/web: Release of v2.3.0 began" };
  expect(await reports()).toEqual([began]);
  await end(release, "promoted");
  for (let pass = 0; pass < 2; pass++) await queue();
  const promoted = { ...named, step: 1, status: "success", title: "shop/web: Release of v2.3.0 was promoted" };
  expect(await reports()).toEqual([began, promoted]);
  const [{ paths } = { paths: [] }] = await world.query(
    "SELECT array_agg(events->0->>'path') AS paths FROM notification",
  );
  expect(new Set(paths)).toEqual(new Set([`/releases/${release}`]));
});

it.each([
  ["aborted", "failure"],
  ["superseded", "inactive"],
  ["unknown", "inactive"],
])("reports a release that is over when it is first seen, by one message: %s", async (state, status) => {
  await end(await begin(), state);
  await queue();
  await queue();
  expect(await reports()).toMatchObject([{ status, step: 0 }]);
});

it("says nothing more while a release is paused", async () => {
  const release = await begin();
  await queue();
  await world.query("UPDATE release SET state = 'paused' WHERE id = $1", [release]);
  await queue();
  expect(await reports()).toHaveLength(1);
});

it("takes the commit of the pod template, and the repository of the rollout if only that has one", async () => {
  const other = "f".repeat(40);
  await begin({
    template: { "gatehouse.dev/commit": commit },
    object: { ...annotations, "gatehouse.dev/commit": other },
  });
  await queue();
  expect(await reports()).toMatchObject([{ repository: "shop/web", commit }]);
});

it("reports to no repository that the channel does not list", async () => {
  const stolen = { "gatehouse.dev/repository": "infra/secrets", "gatehouse.dev/commit": commit };
  const release = await begin({ template: stolen });
  await queue({ seconds: 130 });
  expect(await reports()).toEqual([]);
  const stored = await world.query("SELECT release_id, repository FROM reported_release");
  expect(stored).toEqual([{ release_id: release, repository: null }]);
});

it("takes the annotations of the rollout, by the names in the config", async () => {
  await begin({ template: null, object: { repo: "shop/api", sha: commit } });
  await queue({ channel: { repository: "repo", commit: "sha", environment: "production" } });
  expect(await reports()).toMatchObject([{ repository: "shop/api", commit, environment: "production" }]);
});

it("waits two minutes for the pod template of a new release", async () => {
  const release = await begin({ template: {} });
  await queue({ seconds: 100 });
  await world.query('UPDATE recorded_part SET content = $1 WHERE content = \'{"metadata": {"annotations": {}}}\'', [
    JSON.stringify({ metadata: { annotations } }),
  ]);
  await queue({ seconds: 110 });
  expect(await reports()).toHaveLength(1);
  const unnamed = await begin({ template: null });
  await queue({ seconds: 130 });
  const stored = await world.query("SELECT release_id, repository FROM reported_release ORDER BY repository");
  expect(stored).toEqual([
    { release_id: release, repository: "shop/web" },
    { release_id: unnamed, repository: null },
  ]);
});

it("reports no release outside of its scope, none of another code host, and none from before the channel", async () => {
  await begin({ namespace: "payments" });
  await begin({ template: { ...annotations, "gatehouse.dev/repository": "https://gitlab.com/shop/web" } });
  await begin({ startedSecondsAgo: 3600 });
  await queue({ channel: { namespaces: ["shop"] } });
  expect(await reports()).toEqual([]);
});

it("forgets releases that are old and over, and everything of a channel that is gone", async () => {
  const [open, over] = [await begin(), await begin()];
  await queue();
  await end(over, "promoted");
  await queue();
  await world.query("UPDATE release SET started_at = now() - interval '3 days'");
  await queue();
  const stored = () => world.query("SELECT release_id FROM reported_release");
  expect(await stored()).toEqual([{ release_id: open }]);
  await queueDeployments({ pool: world.pool, channels: [], now: new Date() });
  expect(await stored()).toEqual([]);
  expect(await world.query("SELECT FROM notification_place WHERE name LIKE 'deployments:%'")).toEqual([]);
});
