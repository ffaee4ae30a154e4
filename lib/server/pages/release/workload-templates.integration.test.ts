import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReleaseCourse, ReleaseMoment } from "#lib/contract/release-course.ts";
import { computeDueReleaseFigures } from "#lib/server/recording/upkeep/compute-release-figures.ts";
import { rederiveDue } from "#lib/server/recording/upkeep/rederive.ts";
import { withRelease } from "#sandbox/scenarios/flagger/flagger-objects.ts";
import type { FlaggerScenario } from "#sandbox/scenarios/flagger/flagger-scenario-types.ts";
import { flaggerHealthy } from "#sandbox/scenarios/flagger/flagger-scenarios.ts";
import { actorOf } from "#test/acting-world.ts";
import { playStory, type StoryCluster } from "#test/oversight/play-story.ts";
import { recordEntries, type WatchEvent } from "#test/record-entries.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { getReleaseCourse } from "./get-release-course.ts";
import { getReleaseMoment } from "./get-release-moment.ts";

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb();
});
afterAll(() => web.close());

const scenario: FlaggerScenario = { ...flaggerHealthy, script: [] };
const commitTime = "2026-09-06T08:00:00Z";

/** Releases a version as a person does: the target gets another pod template, with a secret and a commit time. */
function release({ world }: StoryCluster, version: string): void {
  const target = world.store.get("deployments", scenario.namespace, scenario.name);
  if (target === undefined) throw new Error("the target is missing");
  const changed = structuredClone(withRelease(target, scenario, version));
  const template = changed.spec?.template as {
    metadata: { annotations?: Record<string, string> };
    spec: { containers: Record<string, unknown>[] };
  };
  template.metadata.annotations = { ...template.metadata.annotations, "gatehouse.dev/commit-time": commitTime };
  const [container] = template.spec.containers;
  if (container === undefined) throw new Error("the target has no container");
  container.env = [
    { name: "API_TOKEN", value: `hunter-${version}-secret` },
    { name: "MODE", value: version },
  ];
  world.store.update("deployments", changed, { manager: "kubectl" });
}

/** Two releases of a Canary that was there before anybody recorded. Its Deployments are listed before it. */
async function play(number: number): Promise<WatchEvent[]> {
  const story = {
    ...{ rule: "", name: "", found: [], scenario },
    async play(cluster: StoryCluster) {
      await cluster.whileNobodyWatches(() => cluster.pass(120));
      release(cluster, "v2");
      await cluster.pass(300);
      release(cluster, "v3");
      await cluster.pass(300);
    },
  };
  return (await playStory(story, number)).events;
}

const ctx = () => ({ runtime: web.runtime, actor: actorOf("viewer"), requestId: "test" }) as never;

async function record(cluster: string, events: readonly WatchEvent[]): Promise<void> {
  const recorder = createTestPool(web.database.recorderUrl, 1);
  await recordEntries(recorder, cluster, events);
  while ((await rederiveDue(recorder)) > 0);
  await computeDueReleaseFigures(recorder);
  await recorder.end();
}

async function ownerQuery<Row>(text: string, values: unknown[]): Promise<Row[]> {
  const owner = createTestPool(web.database.ownerUrl, 1);
  const { rows } = await owner.query(text, values);
  await owner.end();
  return rows as Row[];
}

async function findRelease(cluster: string, version: string): Promise<string> {
  const [row] = await ownerQuery<{ id: string }>(
    `SELECT l.id FROM release l JOIN rollout r ON r.id = l.rollout_id
     WHERE r.cluster = $1 AND l.images::text LIKE '%:' || $2 || '"%'`,
    [cluster, version],
  );
  return row?.id ?? "";
}

async function findInitial(cluster: string): Promise<string> {
  const [row] = await ownerQuery<{ id: string }>(
    `SELECT l.id FROM release l JOIN rollout r ON r.id = l.rollout_id
     WHERE r.cluster = $1 ORDER BY l.started_at LIMIT 1`,
    [cluster],
  );
  return row?.id ?? "";
}

async function courseOf(id: string): Promise<ReleaseCourse> {
  return ReleaseCourse.parse(await getReleaseCourse({ ctx: ctx(), input: { id } }));
}

type Template = { metadata: unknown; spec: { containers: { image: string; env?: unknown[] }[] } };
const imageOf = (template: ReleaseCourse["templates"]["base"]) =>
  (template as Template | null)?.spec.containers[0]?.image;

describe("the pod templates of a Canary's releases", () => {
  let ids: { second: string; third: string };
  beforeAll(async () => {
    await record("templates-1", await play(401));
    ids = { second: await findRelease("templates-1", "v2"), third: await findRelease("templates-1", "v3") };
  });

  it("are those of its target, redacted", async () => {
    const { templates, base, release } = await courseOf(ids.third);
    expect(release.state).toBe("promoted");
    expect(base).toMatchObject({ releaseId: ids.second });
    expect(imageOf(templates.base)).toBe(`${scenario.image}:v2`);
    expect(imageOf(templates.release)).toBe(`${scenario.image}:v3`);
    expect(templates.since).toBeNull();
    expect((templates.release as Template).spec.containers[0]?.env).toEqual([
      { name: "API_TOKEN", value: "[redacted]" },
      { name: "MODE", value: "v3" },
    ]);
    const [stored] = await ownerQuery("SELECT 1 FROM recorded_part WHERE content::text LIKE '%hunter-v%'", []);
    expect(stored).toBeUndefined();
  });

  it("begin with that of the primary, if nobody saw the version before released", async () => {
    const { templates } = await courseOf(ids.second);
    expect(imageOf(templates.base)).toBe(`${scenario.image}:${scenario.version}`);
    expect(imageOf(templates.release)).toBe(`${scenario.image}:v2`);
    const marks = JSON.stringify(templates.base);
    expect(marks).not.toContain("-primary");
    expect(marks).not.toContain("flagger-id");
  });

  it("are known of the version before from then on", async () => {
    const { templates, base, release: first } = await courseOf(await findInitial("templates-1"));
    expect(first.id).not.toBe(ids.second);
    expect(base).toBeNull();
    expect(imageOf(templates.release)).toBe(`${scenario.image}:${scenario.version}`);
  });

  it("are mentioned where the release is replayed, but not in its rollout", async () => {
    const { from } = await courseOf(ids.third);
    const moment = ReleaseMoment.parse(await getReleaseMoment({ ctx: ctx(), input: { id: ids.third, at: from } }));
    expect(moment.notes).toEqual([expect.stringContaining("only the pod template of the new version is recorded")]);
    expect(moment.steps.length).toBeGreaterThan(0);
  });

  it("say when the commit was made", async () => {
    const [row] = await ownerQuery<{ committed_at: Date | null }>("SELECT committed_at FROM release WHERE id = $1", [
      ids.third,
    ]);
    expect(row?.committed_at?.toISOString()).toBe(new Date(commitTime).toISOString());
  });

  it("are those of no other workload", async () => {
    const [row] = await ownerQuery<{ count: string }>(
      `SELECT count(*) FROM deployment WHERE cluster = 'templates-1' AND template_digest IS NOT NULL
         AND name NOT IN ($1, $1 || '-primary')`,
      [scenario.name],
    );
    expect(Number(row?.count)).toBe(0);
  });
});

describe("the pod templates of releases from before they were recorded", () => {
  it("are missing, with the time since when they are recorded", async () => {
    const cluster = "templates-2";
    await record(cluster, await play(402));
    const [second, third] = [await findRelease(cluster, "v2"), await findRelease(cluster, "v3")];
    await ownerQuery(
      `UPDATE observation o SET template_digest = NULL, stable_template_digest = NULL FROM release l
       WHERE l.id = $1 AND o.rollout_id = l.rollout_id AND o.observed_at < (SELECT started_at FROM release WHERE id = $2)`,
      [second, third],
    );
    const since = (await courseOf(third)).from;
    const first = await courseOf(await findInitial(cluster));
    expect(first.templates).toEqual({ base: null, release: null, since });
    expect(Date.parse(since)).toBeGreaterThan(Date.parse(first.from));
    // The version that the third one replaced was on the primary then.
    const { templates, from } = await courseOf(second);
    expect(templates).toMatchObject({ base: null, since });
    expect(imageOf(templates.release)).toBe(`${scenario.image}:v2`);
    const moment = await getReleaseMoment({ ctx: ctx(), input: { id: second, at: from } });
    expect(moment.notes).toEqual([expect.stringContaining("workloads were not recorded at this moment")]);
  });

  it("come from the next list, for a workload that was listed before its rollout", async () => {
    const cluster = "templates-3";
    const events = await play(403);
    const listed = events.filter(({ type }) => type === "LISTED");
    await record(cluster, listed);
    const named = "SELECT template_digest FROM deployment WHERE cluster = $1 AND name = $2";
    const digest = async (name: string) =>
      (await ownerQuery<{ template_digest: string | null }>(named, [cluster, name]))[0]?.template_digest;
    expect(await digest(scenario.name)).toBeNull();
    expect(await digest(`${scenario.name}-primary`)).toEqual(expect.any(String));
    await record(
      cluster,
      listed.filter(({ kind }) => kind === "Deployment"),
    );
    expect(await digest(scenario.name)).toEqual(expect.any(String));
  });
});

describe("a release that begins before its target's new version is recorded", () => {
  const isOfTarget = ({ type, kind, object }: WatchEvent) =>
    type !== "LISTED" &&
    kind === "Deployment" &&
    (object as { metadata: { name: string } }).metadata.name === scenario.name;
  const versionsOf = async (cluster: string) => {
    const rows = await ownerQuery<{ images: string[] }>(
      `SELECT l.images FROM release l JOIN rollout r ON r.id = l.rollout_id WHERE r.cluster = $1 ORDER BY l.started_at`,
      [cluster],
    );
    return rows.map(({ images }) => images.map((image) => image.split(":").at(-1)).join());
  };

  it("has no version until then, rather than the one that it replaces", async () => {
    const events = await play(404);
    const hasBegun = ({ kind, object }: WatchEvent) =>
      kind === "Canary" && (object as { status?: { phase?: string } }).status?.phase === "Progressing";
    const early = events.slice(0, events.findIndex(hasBegun) + 1);
    expect(early.filter(isOfTarget).length).toBeGreaterThan(0);
    await record(
      "behind-1",
      early.filter((event) => !isOfTarget(event)),
    );
    expect(await versionsOf("behind-1")).toEqual([scenario.version, ""]);
    await record("behind-1", early.filter(isOfTarget));
    expect(await versionsOf("behind-1")).toEqual([scenario.version, "v2"]);
  });

  it("does not get the version before from records of workloads that come late", async () => {
    const events = await play(406);
    const hasBegun = ({ kind, object }: WatchEvent) =>
      kind === "Canary" && (object as { status?: { phase?: string } }).status?.phase === "Progressing";
    const begun = events.slice(0, events.findIndex(hasBegun) + 1);
    const ofWorkloads = begun.filter(({ kind }) => kind === "Deployment");
    await record(
      "behind-3",
      begun.filter(({ kind }) => kind !== "Deployment"),
    );
    await record(
      "behind-3",
      ofWorkloads.filter((event) => event.type === "LISTED" || !isOfTarget(event)),
    );
    expect((await versionsOf("behind-3")).at(-1)).toBe("");
    await record("behind-3", ofWorkloads.filter(isOfTarget));
    expect((await versionsOf("behind-3")).at(-1)).toBe("v2");
  });

  it("gets its template as soon as the target is recorded, though the Canary rests by then", async () => {
    const events = await play(405);
    const changed = events.findIndex(({ object }) => JSON.stringify(object).includes(`${scenario.image}:v3`));
    const late = events.slice(changed);
    await record("behind-2", [...events.slice(0, changed), ...late.filter((event) => !isOfTarget(event))]);
    expect(await versionsOf("behind-2")).toEqual([scenario.version, "v2", "v3"]);
    const id = await findRelease("behind-2", "v3");
    expect((await courseOf(id)).templates.release).toBeNull();
    await record("behind-2", late.filter(isOfTarget));
    expect(imageOf((await courseOf(id)).templates.release)).toBe(`${scenario.image}:v3`);
  });
});
