import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { CdEventsChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { createNotifyWorld } from "#test/notify-world.ts";
import { queueDeployments } from "./queue-deployments.ts";

let world: Awaited<ReturnType<typeof createNotifyWorld>>;
let rollout: string;
beforeAll(async () => {
  world = await createNotifyWorld((fileOf) => ({
    channels: [
      {
        ...{ name: "pipeline", type: "cdevents", url: "https://events.example.com" },
        ...{ signingSecret: fileOf("secret", "s"), namespaces: ["shop"] },
      },
    ],
  }));
});
beforeEach(async () => {
  await world.query("DELETE FROM notification");
  await world.query("DELETE FROM rollout");
  await queue();
  rollout = await addRollout("shop");
});
afterAll(() => world.close());

async function queue(): Promise<void> {
  const channels = [world.config.channels[0] as CdEventsChannelConfig];
  await queueDeployments({ pool: world.pool, channels, now: new Date(Date.now() + 10_000) });
}

async function addRollout(namespace: string): Promise<string> {
  const id = randomUUID();
  await world.query("INSERT INTO cluster (name) VALUES ('prod') ON CONFLICT DO NOTHING");
  await world.query(
    `INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
       resource_version, object, updated_at)
     VALUES ($1, 'prod', $2, 'Rollout', 'web', gen_random_uuid(), 'Progressing', '', 5, '', 'abc', '1', '{}', now())`,
    [id, namespace],
  );
  return id;
}

let revision = 0;

/** Stores a release that begins now, of a version that is also its run key. */
async function begin(version: string, { of = rollout, attempt = 1 } = {}): Promise<string> {
  const id = randomUUID();
  revision += 1;
  await world.query(
    `INSERT INTO release (id, rollout_id, run_key, attempt, revision, state, message, images, started_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, 'progressing', '', $6, clock_timestamp(), now())`,
    [id, of, version, attempt, revision, JSON.stringify([`shop/web:${version}`])],
  );
  return id;
}

const end = (release: string, state: string) =>
  world.query("UPDATE release SET state = $2, ended_at = clock_timestamp() WHERE id = $1", [release, state]);

async function release(version: string, state: string, options = {}): Promise<string> {
  const id = await begin(version, options);
  await queue();
  await end(id, state);
  await queue();
  return id;
}

/** What was queued, in the order of the ends. */
const sent = async () =>
  (await world.query("SELECT events->0 AS event FROM notification ORDER BY events->0->>'at'")).map(
    ({ event }) => `${event.service.predicate} ${event.service.artifacts[0].split("tag=")[1]}`,
  );

it("queues the end of each release once, at its time, and nothing before", async () => {
  const id = await begin("v1");
  await queue();
  expect(await sent()).toEqual([]);
  await end(id, "promoted");
  for (let pass = 0; pass < 2; pass++) await queue();
  const [{ ended_at: endedAt } = {}] = await world.query("SELECT ended_at FROM release WHERE id = $1", [id]);
  const rows = await world.query("SELECT channel, title, events FROM notification");
  expect(rows).toMatchObject([
    {
      ...{ channel: "pipeline", title: "shop/web: Release of v1 was promoted" },
      events: [{ path: `/releases/${id}`, at: endedAt.toISOString(), service: { environment: "prod/shop" } }],
    },
  ]);
});

it("tells an upgrade from a rollback by what was promoted before", async () => {
  await release("v1", "promoted");
  await release("v2", "promoted");
  await release("v3", "aborted");
  await release("v3", "superseded", { attempt: 2 });
  await release("v1", "promoted", { attempt: 2 });
  await release("v4", "aborted");
  expect(await sent()).toEqual(["upgraded v1", "upgraded v2", "rolledback v2", "rolledback v1", "rolledback v1"]);
});

it("queues a release that is over when it is first seen, and none out of its scope or of an unknown past", async () => {
  await end(await begin("v1"), "promoted");
  await queue();
  await release("v1", "promoted", { of: await addRollout("payments") });
  await world.query("DELETE FROM release WHERE rollout_id = $1", [rollout]);
  await release("v2", "aborted");
  expect(await sent()).toEqual(["upgraded v1"]);
  const stored = await world.query("SELECT status FROM reported_release ORDER BY status");
  expect(stored).toEqual([{ status: "failure" }, { status: null }]);
});
