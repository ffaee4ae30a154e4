import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import { InboxItem } from "#lib/contract/inbox.ts";
import { Release, RolloutDetail } from "#lib/contract/rollout.ts";
import { getInbox } from "#lib/server/pages/inbox/get-inbox.ts";
import { getRelease } from "#lib/server/pages/release/get-release.ts";
import { listReleases } from "#lib/server/pages/release/list-releases.ts";
import { getRollout } from "#lib/server/pages/rollout/get-rollout.ts";
import { getRun } from "#lib/server/pages/run/get-run.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

const viewer = actorOf("viewer");
const from = "2026-11-20T10:00:00.000Z";
const to = "2026-11-20T10:05:00.000Z";

async function addReleased(): Promise<{ rollout: TestRollout; releaseId: string; runUid: string }> {
  const rollout = await world.addRollout();
  const [releaseId, runUid] = [randomUUID(), randomUUID()];
  const { cluster, namespace } = rollout.path;
  await world.owner.query(
    `UPDATE rollout SET attention_reason = 'pause', attention_severity = 'info', attention_since = now(), revision = 7,
       images = '[{"image": "r.example:5000/shop:v2", "tags": ["canary"]}]',
       object = jsonb_set(object, '{metadata,annotations}', $2) WHERE id = $1`,
    [
      rollout.id,
      JSON.stringify({
        "gatehouse.dev/link.on-call": "https://wiki.example/x",
        "gatehouse.dev/link.bad": "javascript:alert(1)",
      }),
    ],
  );
  await world.owner.query(
    `INSERT INTO release (id, rollout_id, run_key, revision, attempt, state, message, images, started_at, ended_at, updated_at)
     VALUES ($1, $2, 'new', 7, 1, 'promoted', '', '["r.example:5000/shop:v2"]', $3, $4, now())`,
    [releaseId, rollout.id, from, to],
  );
  await world.owner.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, revision, pod_hash, phase, message, spec,
       resource_version, created_at, started_at, completed_at, updated_at)
     VALUES ($1, $2, $3, $4, 'checkout-1', 'Step', 7, 'new', 'Successful', '', '{"metrics": []}', '1', $5, $5, $6, now())`,
    [runUid, rollout.id, cluster, namespace, from, to],
  );
  await world.owner.query(
    `INSERT INTO metric (rollout_id, run_uid, name, phase, message, query)
     VALUES ($1, $2, 'errors', 'Successful', '', 'sum(x{a="b c"})')`,
    [rollout.id, runUid],
  );
  return { rollout, releaseId, runUid };
}

const times = "{from}/{toMs}";
const range = `${encodeURIComponent(from)}/${Date.parse(to)}`;

it("shows the links of the config with the values of each place, and those of the rollout's annotations", async () => {
  const { rollout, releaseId, runUid } = await addReleased();
  const { namespace } = rollout.path;
  world.setLinks([
    {
      name: "R",
      url: `https://a.example/{cluster}/{namespace}/{name}/{kind}/{podHash}/{stableHash}/{revision}/{imageTag}/${times}`,
      on: ["rollout"],
    },
    { name: "L", url: `https://a.example/{name}/{podHash}/{revision}/{image}/${times}`, on: ["release", "run"] },
    {
      name: "M",
      url: `https://a.example/{run}?q={query}&m={metric}#${times}`,
      on: ["metric"],
      namespaces: [namespace],
    },
    { name: "Elsewhere", url: "https://a.example/", on: ["rollout", "release", "run", "metric"], clusters: ["other"] },
  ]);
  const ctx = world.contextOf(viewer);
  const ofRollout = [
    {
      name: "R",
      href: `https://a.example/prod-eu/${namespace}/checkout/Rollout/new/old/7/v2/${range}`,
      source: "config",
    },
    { name: "on-call", href: "https://wiki.example/x", source: "annotation" },
  ];
  expect(RolloutDetail.parse(await getRollout({ ctx, input: rollout.path })).links).toEqual(ofRollout);
  const inbox = await getInbox({ ctx, input: { limit: 200, answered: "false" } });
  const item = inbox.items.find(({ rollout: { uid } }) => uid === rollout.read().metadata.uid);
  expect(InboxItem.parse(item).links).toEqual(ofRollout);

  const ofRelease = [
    { name: "L", href: `https://a.example/checkout/new/7/r.example%3A5000%2Fshop%3Av2/${range}`, source: "config" },
  ];
  expect(Release.parse(await getRelease({ ctx, input: { id: releaseId } })).links).toEqual(ofRelease);
  expect((await listReleases({ ctx, input: { namespace, limit: 5 } })).items.map(({ links }) => links)).toEqual([
    ofRelease,
  ]);

  const run = AnalysisRunDetail.parse(await getRun({ ctx, input: { uid: runUid } }));
  expect(run.links).toEqual(ofRelease);
  expect(run.metrics.map(({ links }) => links)).toEqual([
    [
      {
        name: "M",
        href: `https://a.example/checkout-1?q=sum%28x%7Ba%3D%22b%20c%22%7D%29&m=errors#${range}`,
        source: "config",
      },
    ],
  ]);
});

it("hides what has no value yet: a rollout without a release, a run that has not started, a query that is unknown", async () => {
  const { rollout, runUid } = await addReleased();
  await world.owner.query("DELETE FROM release WHERE rollout_id = $1", [rollout.id]);
  await world.owner.query("UPDATE analysis_run SET started_at = NULL, completed_at = NULL WHERE uid = $1", [runUid]);
  await world.owner.query("UPDATE metric SET query = NULL WHERE run_uid = $1", [runUid]);
  world.setLinks([
    { name: "Time", url: "https://a.example/{from}", on: ["rollout", "run", "metric"] },
    { name: "Query", url: "https://a.example/{query}", on: ["metric"] },
    { name: "Image", url: "https://a.example/{image}", on: ["run"] },
    { name: "Plain", url: "https://a.example/{name}", on: ["rollout", "run", "metric"] },
  ]);
  const ctx = world.contextOf(viewer);
  const names = (links: readonly { name: string }[]) => links.map(({ name }) => name);
  expect(names((await getRollout({ ctx, input: rollout.path })).links)).toEqual(["Plain", "on-call"]);
  const run = await getRun({ ctx, input: { uid: runUid } });
  expect(names(run.links)).toEqual(["Plain"]);
  expect(names(run.metrics[0]?.links ?? [])).toEqual(["Plain"]);
});

it("lets what has not ended last until now", async () => {
  const { rollout } = await addReleased();
  await world.owner.query("UPDATE release SET ended_at = NULL WHERE rollout_id = $1", [rollout.id]);
  world.setLinks([{ name: "To", url: "https://a.example/{toMs}", on: ["rollout"] }]);
  const before = Date.now();
  const [link] = (await getRollout({ ctx: world.contextOf(viewer), input: rollout.path })).links;
  expect(Number(link?.href.split("/").at(-1))).toBeGreaterThanOrEqual(before);
});
