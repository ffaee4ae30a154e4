import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReleaseCourse, ReleaseMoment } from "#lib/contract/release-course.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { experiment } from "#sandbox/scenarios/experiment.ts";
import { failed } from "#sandbox/scenarios/failed.ts";
import { USUAL } from "#sandbox/scenarios/metrics.ts";
import type { Scenario } from "#sandbox/scenarios/scenario-types.ts";
import { actorOf } from "#test/acting-world.ts";
import { playStory, type Story, type StoryCluster } from "#test/oversight/play-story.ts";
import { recordEntries } from "#test/record-entries.ts";
import { storePolicies } from "#test/store-policies.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { getReleaseCourse } from "./get-release-course.ts";
import { getReleaseMoment } from "./get-release-moment.ts";

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb();
});
afterAll(() => web.close());

const gated: Scenario = {
  namespace: "shop",
  name: "app",
  image: "registry.internal/shop/app",
  version: "v1",
  replicas: 4,
  templates: [],
  baseline: USUAL,
  behaviours: [],
  strategy: { steps: [{ setWeight: 50 }, { pause: { duration: "10s" } }, { setWeight: 75 }, { pause: {} }] },
  script: [{ when: "healthy", act: { release: "v2" } }],
};

/** Plays a story as a cluster of its own, records it, and returns its release of this revision. */
async function release(
  number: number,
  revision: number,
  story: Pick<Story, "scenario" | "play">,
): Promise<{ id: string; course: ReleaseCourse }> {
  const cluster = `course-${number}`;
  const { events } = await playStory({ rule: "", name: "", found: [], ...story }, 100 + number);
  const recorder = createTestPool(web.database.recorderUrl, 1);
  await recordEntries(recorder, cluster, events);
  const { rows } = await recorder.query<{ id: string }>(
    "SELECT l.id FROM release l JOIN rollout r ON r.id = l.rollout_id WHERE r.cluster = $1 AND l.revision = $2",
    [cluster, revision],
  );
  await recorder.end();
  const id = rows[0]?.id ?? "";
  return { id, course: ReleaseCourse.parse(await getReleaseCourse({ ctx: contextOf(), input: { id } })) };
}

const contextOf = (actor = actorOf("viewer")) => ({ runtime: web.runtime, actor, requestId: "test" }) as never;

async function momentOf(id: string, at: string): Promise<ReleaseMoment> {
  return ReleaseMoment.parse(await getReleaseMoment({ ctx: contextOf(), input: { id, at } }));
}

/** The status that `kubectl argo rollouts promote` writes. */
const goOn = { pauseConditions: null };

async function passGate({ pass, patchAsPerson }: StoryCluster): Promise<void> {
  await pass(120);
  patchAsPerson(goOn);
  await pass(60);
}

describe("the course of a release", () => {
  let id: string;
  let course: ReleaseCourse;
  beforeAll(async () => {
    ({ id, course } = await release(1, 2, { scenario: gated, play: passGate }));
  });

  it("tells what replaced what, with both pod templates", () => {
    expect(course.release).toMatchObject({ state: "promoted", images: ["registry.internal/shop/app:v2"] });
    expect(course.base).toMatchObject({ revision: 1, images: ["registry.internal/shop/app:v1"] });
    const imageOf = (template: ReleaseCourse["templates"]["base"]) =>
      (template as { spec: { containers: { image: string }[] } }).spec.containers[0]?.image;
    expect(imageOf(course.templates.base)).toBe("registry.internal/shop/app:v1");
    expect(imageOf(course.templates.release)).toBe("registry.internal/shop/app:v2");
    expect(JSON.stringify(course.templates)).not.toContain("pod-template-hash");
  });

  it("has its moments in order, and all of its time", () => {
    expect(course.steps.map(({ text }) => text)).toEqual([
      "setWeight: 50",
      "pause: 10s",
      "setWeight: 75",
      expect.stringMatching(/^pause/),
    ]);
    expect(course.moments.map(({ weight }) => weight)).toEqual(
      course.moments.map(({ weight }) => weight).toSorted((one, other) => (one ?? 0) - (other ?? 0)),
    );
    const { total, activities, frozen } = course.time;
    expect(total).toBeCloseTo((Date.parse(course.to ?? "") - Date.parse(course.from)) / 1000, 3);
    expect(Object.values(activities).reduce((sum, seconds) => sum + seconds)).toBeCloseTo(total, 3);
    expect(activities.pausing).toBeGreaterThanOrEqual(9);
    expect(activities.pausing).toBeLessThanOrEqual(11);
    // It waited from about 20 s until the person at 120 s.
    expect(activities.waiting).toBeGreaterThan(80);
    expect(activities.held).toBe(0);
    expect(frozen).toBe(0);
  });

  it("counts what its waits were in freezes that people made", async () => {
    const waiting = Date.parse(course.moments.find(({ activity }) => activity === "waiting")?.at ?? "");
    const at = (seconds: number) => new Date(waiting + seconds * 1000);
    const owner = createTestPool(web.database.ownerUrl, 1);
    const made = [
      { clusters: ["course-*"], from: at(-3600), to: at(10) },
      { clusters: ["*"], from: at(20), to: at(50) },
      { clusters: ["*"], from: at(40), to: at(60) },
      { clusters: ["elsewhere"], from: at(0), to: at(80) },
    ];
    for (const { clusters, from, to } of made)
      await owner.query(
        `INSERT INTO freeze_period (id, reason, clusters, namespaces, rollouts, starts_at, ends_at, made_by, made_by_name)
         VALUES (gen_random_uuid(), 'incident', $1, '{*}', '{*}', $2, $3, 'x', 'Oncall')`,
        [clusters, from, to],
      );
    const { time } = await getReleaseCourse({ ctx: contextOf(), input: { id } });
    expect(time.frozen).toBeCloseTo(50, 3);
    await owner.query("DELETE FROM freeze_period");
    await owner.end();
  });

  it("counts freeze windows by the policies of the time, and says from when on they are known", async () => {
    const timeOf = async () => {
      const { time, policiesKnownFrom } = await getReleaseCourse({ ctx: contextOf(), input: { id } });
      return { frozen: Math.round(time.frozen), policiesKnownFrom };
    };
    const waiting = Date.parse(course.moments.find(({ activity }) => activity === "waiting")?.at ?? "");
    const at = (seconds: number) => new Date(waiting + seconds * 1000);
    const owner = createTestPool(web.database.ownerUrl, 1);
    const load = async (seconds: number, policies: Parameters<typeof storePolicies>[1]) => {
      await storePolicies(owner, policies, String(seconds));
      await owner.query("UPDATE config_event SET at = $1 WHERE id = (SELECT max(id) FROM config_event)", [at(seconds)]);
    };
    expect(await timeOf()).toEqual({ frozen: 0, policiesKnownFrom: null });
    await load(10, { freezes: [{ name: "always", start: "* * * * *", duration: "2m" }] });
    await load(40, {});
    expect(await timeOf()).toEqual({ frozen: 30, policiesKnownFrom: at(10).toISOString() });
    await load(-3600, {});
    await owner.query("UPDATE config_event SET id = -1 WHERE at = $1", [at(-3600)]);
    expect(await timeOf()).toEqual({ frozen: 30, policiesKnownFrom: course.from });
    await owner.query("DELETE FROM config_event");
    await owner.end();
  });

  it("shows a moment as it was: weight, steps, pods, and what the buttons offered", async () => {
    const waiting = course.moments.find(({ activity }) => activity === "waiting");
    const at = new Date(Date.parse(waiting?.at ?? "") + 5_000).toISOString();
    const moment = await momentOf(id, at);
    expect(moment).toMatchObject({ at, observedAt: waiting?.at, moment: { activity: "waiting", step: 3, weight: 75 } });
    expect(moment.steps.map(({ state }) => state)).toEqual(["done", "done", "done", "current"]);
    expect(moment.replicas?.desired).toBe(4);
    expect(moment.follows?.text).toContain("100 %");
    const byAction = new Map(moment.actions?.map((action) => [action.action, action]));
    expect(byAction.get("continue")).toMatchObject({ allowed: true });
    expect(byAction.get("abort")).toMatchObject({ allowed: true });
    expect(byAction.get("retry")).toMatchObject({ allowed: false, reason: expect.stringMatching(/.+/) });
    expect(moment.notes).toEqual([]);
  });

  it("shows another moment otherwise, and keeps within the release", async () => {
    const first = await momentOf(id, "2020-01-01T00:00:00.000Z");
    expect(first).toMatchObject({ at: course.from, moment: { activity: "progressing", step: 0 } });
    const byAction = new Map(first.actions?.map((action) => [action.action, action]));
    expect(byAction.get("continue")).toMatchObject({ allowed: false });
    const last = await momentOf(id, "2030-01-01T00:00:00.000Z");
    expect(last.at).toBe(course.to);
    expect(last.moment.phase).toBe("Healthy");
  });

  it("says what is unknown of observations from before objects were kept", async () => {
    const owner = createTestPool(web.database.ownerUrl, 1);
    await owner.query("BEGIN");
    const { rows } = await owner.query<{ count: string }>(
      `WITH changed AS (UPDATE observation o SET object = NULL, spec_digest = NULL FROM release l
         WHERE l.id = $1 AND o.rollout_id = l.rollout_id RETURNING 1) SELECT count(*) FROM changed`,
      [id],
    );
    expect(Number(rows[0]?.count)).toBeGreaterThan(5);
    await owner.query("COMMIT");
    await owner.end();
    const then = course.moments.at(-2);
    const moment = await momentOf(id, then?.at ?? "");
    expect(moment).toMatchObject({
      actions: null,
      replicas: null,
      steps: [],
      notes: [expect.stringContaining("not recorded")],
    });
    expect(moment.moment).toEqual(then);
    const again = await getReleaseCourse({ ctx: contextOf(), input: { id } });
    expect(again.steps).toEqual([]);
    expect(again.moments).toEqual(course.moments);
  });

  it("is not told to whom the rollout is hidden", async () => {
    const scope = { ...everywhere, namespaces: ["other"] };
    const stranger = {
      ...actorOf("viewer"),
      rights: {
        grants: [{ role: "viewer" as const, scope, actions: ["*"], breakGlass: false }],
        cap: "admin" as const,
      },
    };
    const missing = { code: "not_found" };
    await expect(getReleaseCourse({ ctx: contextOf(stranger), input: { id } })).rejects.toMatchObject(missing);
    await expect(getReleaseMoment({ ctx: contextOf(stranger), input: { id, at: course.from } })).rejects.toMatchObject(
      missing,
    );
    await expect(getReleaseCourse({ ctx: contextOf(), input: { id: "x" } })).rejects.toMatchObject(missing);
  });
});

describe("the analyses of a release", () => {
  it("are told with what had been measured at a moment, and which one decided", async () => {
    const { id, course } = await release(2, 2, { scenario: failed, play: ({ pass }) => pass(300) });
    expect(course.release.state).toBe("aborted");
    const deciding = course.runs.find(({ decided }) => decided);
    expect(deciding).toMatchObject({ phase: "Failed" });
    const end = await momentOf(id, course.to ?? "");
    const atEnd = end.runs.find(({ uid }) => uid === deciding?.uid);
    const startMs = Date.parse(deciding?.startedAt ?? "");
    const endMs = Date.parse(deciding?.completedAt ?? "");
    const middle = await momentOf(id, new Date((startMs + endMs) / 2).toISOString());
    const atMiddle = middle.runs.find(({ uid }) => uid === deciding?.uid);
    const countOf = (run: typeof atEnd) => run?.metrics.reduce((sum, { measurements }) => sum + measurements, 0) ?? 0;
    expect(atMiddle).toMatchObject({ phase: "Running" });
    expect(countOf(atMiddle)).toBeGreaterThan(0);
    expect(countOf(atEnd)).toBeGreaterThan(countOf(atMiddle));
    const before = await momentOf(id, new Date(startMs - 500).toISOString());
    expect(before.runs.map(({ uid }) => uid)).not.toContain(deciding?.uid);
  });
});

describe("the experiments of a release", () => {
  it("are told with their versions and analyses, those of an attempt before are not", async () => {
    const { id, course } = await release(4, 2, { scenario: experiment, play: ({ pass }) => pass(240) });
    expect(course.experiments.map(({ phase }) => phase)).toEqual(["Inconclusive", "Running"]);
    const [first] = course.experiments;
    expect(first?.templates.map(({ name, images }) => [name, ...images])).toEqual([
      ["baseline", `${experiment.image}:v11.4.0`],
      ["candidate", `${experiment.image}:v11.5.0`],
    ]);
    expect(first?.runs.map(({ phase }) => phase)).toContain("Inconclusive");
    expect(first?.runs).toHaveLength(2);
    // The release waits because of it, though the second one measures since.
    expect(first?.runs.find(({ decided }) => decided)).toMatchObject({ phase: "Inconclusive" });
    expect(course.runs.map(({ type }) => type)).not.toContain("Experiment");
    const owner = createTestPool(web.database.ownerUrl, 1);
    await owner.query("UPDATE release SET attempt = 2, started_at = $2 WHERE id = $1", [
      id,
      course.experiments[1]?.createdAt,
    ]);
    await owner.end();
    const second = await getReleaseCourse({ ctx: contextOf(), input: { id } });
    expect(second.experiments.map(({ phase }) => phase)).toEqual(["Running"]);
  });
});

it("gets the pod templates of ReplicaSets that were recorded without them, from the next list", async () => {
  const { events } = await playStory({ rule: "", name: "", found: [], scenario: gated, play: passGate }, 103);
  const recorder = createTestPool(web.database.recorderUrl, 1);
  await recordEntries(recorder, "course-3", events);
  const owner = createTestPool(web.database.ownerUrl, 1);
  const digests = async () => {
    const query = "SELECT template_digest FROM replica_set WHERE cluster = 'course-3' ORDER BY uid";
    return (await owner.query<{ template_digest: string | null }>(query)).rows.map((row) => row.template_digest);
  };
  const before = await digests();
  expect(before).toEqual([expect.any(String), expect.any(String)]);
  await owner.query("UPDATE replica_set SET template_digest = NULL WHERE cluster = 'course-3'");
  const listed = new Map(events.filter(({ kind }) => kind === "ReplicaSet").map((event) => [event.uid, event]));
  await recordEntries(
    recorder,
    "course-3",
    [...listed.values()].map((event) => ({ ...event, type: "LISTED" as const })),
  );
  expect(await digests()).toEqual(before);
  await Promise.all([recorder.end(), owner.end()]);
});
