import { afterEach, beforeEach, expect, it } from "vitest";
import type { ActionParams } from "#lib/contract/action.ts";
import type { ActionName } from "#lib/contract/rollout.ts";
import { actOnSubject } from "#lib/server/acting/act/act-on-subject.ts";
import { planRolloutAction } from "#lib/server/acting/act/plan-action-preview.ts";
import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import { startControllers } from "#sandbox/controllers/start-controllers.ts";
import { createFakeClock } from "#sandbox/controllers/testing/fake-clock.ts";
import { metricOf, podTemplate, putRollout, putTemplate, SELECTOR } from "#sandbox/controllers/testing/own-rollout.ts";
import { createWorld, type World } from "#sandbox/controllers/testing/sandbox-world.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let acting: ActingWorld;
let cluster: World;

beforeEach(async () => {
  acting = await createActingWorld();
});
afterEach(() => acting.close());

/**
 * Plays scenarios, which reach their waiting states 50 s after their start. A restart is requested with the time of
 * day, which the clock then shows. Plays only the scenarios under test: playing all would take over a second.
 */
function play(...places: Place[]): void {
  const clock = createFakeClock(Date.now() - 50_000);
  cluster = createWorld({ store: acting.sandbox.store, clock, only: places.map(keyOf) });
  cluster.controllers.startScenarios();
  clock.advance(50_000);
}

async function stateAfter(id: string, rollout: TestRollout): Promise<string> {
  await rollout.record();
  await followActions({ pool: acting.recorder, clusterFor: () => acting.client });
  const { rows } = await acting.owner.query("SELECT state FROM action WHERE id = $1", [id]);
  return rows[0].state;
}

const tracking = { namespace: "logistics", name: "tracking" };
const checkout = { namespace: "payments", name: "checkout" };
const catalog = { namespace: "storefront", name: "catalog" };
const gateway = { namespace: "platform", name: "gateway" };
const flags = { namespace: "platform", name: "feature-flags" };
const login = { namespace: "accounts", name: "login" };
const ranking = { namespace: "search", name: "ranking" };
const indexer = { namespace: "search", name: "indexer" };

type Place = { namespace: string; name: string };
const keyOf = ({ namespace, name }: Place) => `${namespace}/${name}`;
const statusOf = (place: Place) => cluster.rollout(keyOf(place)).status;

/** Runs its inline analysis runs once more. */
function measureAgain(place: Place): void {
  cluster.patchStatus(keyOf(place), { pauseConditions: null });
  cluster.clock.advance(5_000);
}

function hold(place: Place): void {
  cluster.patchSpec(keyOf(place), { paused: true });
  cluster.clock.advance(1_000);
}

/** Runs the controllers between two of our requests: they see what a patch leaves open. */
function letControllersInBetween(): void {
  acting.setIntercept(async (request, send) => {
    const answer = await send();
    if (request.method === "PATCH") cluster.clock.advance(1_000);
    return answer;
  });
}

type Case = Place & {
  action: ActionName;
  params?: ActionParams;
  given?: string;
  prepare?: (place: Place) => void;
  /** A promotion and a restart wait for pods. */
  seconds?: number;
};
const cases: Case[] = [
  { action: "undo", ...checkout },
  { action: "undo", ...tracking },
  { action: "set-image", ...checkout, params: { container: "*", image: "shop/other:9" } },
  { action: "set-image", ...tracking, params: { container: "*", image: "shop/other:9" } },
  { action: "restart", ...checkout, seconds: 60 },
  { action: "continue", namespace: "platform", name: "gateway" },
  { action: "accept-step", namespace: "payments", name: "checkout" },
  { action: "measure-again", namespace: "payments", name: "checkout" },
  { action: "continue-waive", namespace: "storefront", name: "catalog" },
  { action: "abort", namespace: "payments", name: "checkout" },
  { action: "retry", namespace: "search", name: "query-api" },
  { action: "pause", ...gateway },
  { action: "unpause", ...flags },
  { action: "skip-step", given: "an Inconclusive experiment", ...ranking },
  { action: "skip-step", given: "a running analysis", prepare: measureAgain, ...checkout },
  { action: "skip-all", ...gateway, seconds: 20 },
  { action: "promote-full", ...checkout, seconds: 20 },
  { action: "promote-full", given: "a blue-green pause", ...login, seconds: 20 },
  { action: "continue", given: "a blue-green pause", ...login },
  { action: "continue", given: "spec.paused besides", prepare: hold, ...gateway },
  { action: "continue-waive", given: "spec.paused besides", prepare: hold, ...catalog },
  { action: "accept-step", given: "spec.paused besides", prepare: hold, ...checkout },
  { action: "measure-again", given: "spec.paused besides", prepare: hold, ...checkout },
  { action: "promote-full", given: "spec.paused besides", prepare: hold, ...checkout, seconds: 20 },
];

it.each(cases)(
  "$action on $namespace/$name ($given) is effective once the controller has acted, and not before",
  async (row) => {
    play(row);
    row.prepare?.(row);
    const rollout = await acting.adoptRollout(row);
    const { id, state } = await acting.act({ rollout, action: row.action, params: row.params ?? {} });
    expect(state).toBe("applied");
    expect(await stateAfter(id, rollout)).toBe("applied");
    cluster.clock.advance((row.seconds ?? 3) * 1_000);
    expect(await stateAfter(id, rollout)).toBe("effective");
  },
);

/** Restarts the controller, which then finds the objects as they are. */
function startAgain(): void {
  const { controllers, store } = cluster;
  controllers.stop();
  startControllers({ store, clock: cluster.clock, speed: 1, seed: 1 });
}

it.each(cases)(
  "$action on $namespace/$name ($given) has no effect while the controllers are stopped, and takes effect when they are back",
  async (row) => {
    play(row);
    row.prepare?.(row);
    const rollout = await acting.adoptRollout(row);
    cluster.controllers.stop();
    const { id } = await acting.act({ rollout, action: row.action, params: row.params ?? {} });
    cluster.clock.advance(45_000);
    expect(await stateAfter(id, rollout)).toBe("applied");
    await acting.owner.query("UPDATE action SET deadline_at = now() - interval '1 second' WHERE id = $1", [id]);
    expect(await stateAfter(id, rollout)).toBe("not-effective");
    startAgain();
    cluster.clock.advance((row.seconds ?? 3) * 1_000);
    expect(await stateAfter(id, rollout)).toBe("effective");
  },
);

it.each([
  { action: "continue" as const, ...gateway },
  { action: "continue" as const, ...login },
  { action: "continue-waive" as const, ...catalog },
  { action: "accept-step" as const, ...checkout },
  { action: "measure-again" as const, ...checkout },
  { action: "promote-full" as const, ...gateway },
])(
  "$action on $namespace/$name goes on although the controller met it between lifting spec.paused and the rest",
  async ({ action, ...place }) => {
    play(place);
    hold(place);
    const before = statusOf(place);
    const rollout = await acting.adoptRollout(place);
    letControllersInBetween();
    const { id, state } = await acting.act({ rollout, action });
    expect(state).toBe("applied");
    cluster.clock.advance(20_000);
    expect(await stateAfter(id, rollout)).toBe("effective");
    const now = statusOf(place);
    const wasFirst = before.pauseConditions?.[0];
    expect(now.pauseConditions ?? []).not.toContainEqual(wasFirst);
    expect([
      now.currentStepIndex,
      now.blueGreen?.activeSelector,
      now.canary?.currentStepAnalysisRunStatus?.name,
    ]).not.toEqual([
      before.currentStepIndex,
      before.blueGreen?.activeSelector,
      before.canary?.currentStepAnalysisRunStatus?.name,
    ]);
  },
);

it("a resume that is used up while somebody holds the rollout is told as not effective", async () => {
  play(gateway);
  const rollout = await acting.adoptRollout(gateway);
  const { id } = await acting.act({ rollout, action: "continue" });
  hold(gateway);
  expect(await stateAfter(id, rollout)).toBe("applied");
  cluster.patchSpec(keyOf(gateway), { paused: false });
  cluster.clock.advance(1_000);
  expect(await stateAfter(id, rollout)).toBe("not-effective");
  expect((await acting.rowOf(id)).message).toBe(
    "It is paused again at step 2 of 4 (CanaryPauseStep): the controller did not continue.",
  );
});

it("a timed blue-green promotion is not continued: the controller would only start the timer anew", async () => {
  play(login);
  const { blueGreen } = cluster.rollout(keyOf(login)).spec.strategy;
  const timed = { ...blueGreen, autoPromotionEnabled: true, autoPromotionSeconds: 3_600 };
  cluster.patchSpec(keyOf(login), { strategy: { blueGreen: timed } });
  cluster.clock.advance(1_000);
  const before = statusOf(login);
  const rollout = await acting.adoptRollout(login);
  await expect(acting.act({ rollout, action: "continue" })).rejects.toMatchObject({
    code: "not_allowed_now",
    message: expect.stringContaining("clearing the pause only restarts the timer"),
  });
  cluster.patchStatus(keyOf(login), { pauseConditions: null });
  cluster.clock.advance(1_000);
  const now = statusOf(login);
  expect(now.blueGreen?.activeSelector).toBe(before.blueGreen?.activeSelector);
  expect(now.pauseConditions).toMatchObject([{ reason: "BlueGreenPause" }]);
  expect(now.pauseConditions).not.toEqual(before.pauseConditions);
  await rollout.record();
  const { id } = await acting.act({ rollout, action: "promote-full" });
  cluster.clock.advance(20_000);
  expect(await stateAfter(id, rollout)).toBe("effective");
});

it("accept-step with an Inconclusive background run besides passes the step and pauses for that run", async () => {
  play();
  putTemplate(cluster, "unclear", [metricOf("unclear")]);
  const analysis = { templates: [{ templateName: "unclear" }] };
  const steps = [{ setWeight: 50 }, { analysis }, { setWeight: 80 }];
  const canary = { analysis: { ...analysis, startingStep: 1 }, steps };
  putRollout(cluster, { selector: SELECTOR, template: podTemplate(), strategy: { canary } });
  cluster.clock.advance(5_000);
  cluster.setImage("default/app", "app:v2");
  cluster.clock.advance(20_000);
  const app = { namespace: "default", name: "app" };
  const rollout = await acting.adoptRollout(app);
  const background = statusOf(app).canary?.currentBackgroundAnalysisRunStatus;
  expect(background?.status).toBe("Inconclusive");
  const { id } = await acting.act({ rollout, action: "accept-step" });
  cluster.clock.advance(3_000);
  expect(await stateAfter(id, rollout)).toBe("effective");
  expect((await acting.rowOf(id)).message).toBe("The rollout is at step 3 of 3 and waits: InconclusiveAnalysisRun.");
  expect(statusOf(app).canary?.currentBackgroundAnalysisRunStatus).toEqual(background);
});

it.each<{ action: ActionName; params?: ActionParams }>([
  { action: "abort" },
  { action: "undo" },
  { action: "set-image", params: { container: "*", image: "shop/other:9" } },
  { action: "skip-step" },
  { action: "skip-all" },
  { action: "promote-full" },
])("$action ends the run that its warning names, as Successful", async ({ action, params = {} }) => {
  play(checkout);
  measureAgain(checkout);
  const { name = "" } = statusOf(checkout).canary?.currentStepAnalysisRunStatus ?? {};
  const rollout = await acting.adoptRollout(checkout);
  const ctx = acting.contextOf(actorOf("operator"));
  const plan = await planRolloutAction({ ctx, input: { ...rollout.path, action, ...params } });
  expect(plan.warnings).toContainEqual(
    `Ends run ${name} early: a terminated run usually shows Successful, which is not a verdict.`,
  );
  await acting.act({ rollout, action, params });
  cluster.clock.advance(3_000);
  expect(acting.sandbox.store.get("analysisruns", checkout.namespace, name)).toMatchObject({
    spec: { terminate: true },
    status: { phase: "Successful" },
  });
});

it("skip-step past an Inconclusive experiment ends the one that the controller began anew", async () => {
  play(ranking);
  const { currentExperiment = "" } = statusOf(ranking).canary ?? {};
  const phaseOf = () => acting.sandbox.store.get("experiments", ranking.namespace, currentExperiment)?.status?.phase;
  expect(phaseOf()).toBe("Running");
  const rollout = await acting.adoptRollout(ranking);
  await acting.act({ rollout, action: "skip-step" });
  cluster.clock.advance(10_000);
  expect(phaseOf()).toBe("Successful");
});

it("terminate on a running run is effective once the controller has ended it", async () => {
  play(indexer);
  const { store } = acting.sandbox;
  const run = store.list("analysisruns").find(({ status }) => status?.phase === "Running");
  if (run === undefined) throw new Error("no run is running");
  const { namespace = "", name, uid, resourceVersion, ownerReferences } = run.metadata;
  const owner = ownerReferences?.[0]?.name ?? "";
  const rollout = await acting.adoptRollout({ namespace, name: owner });
  await acting.owner.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, phase, message, spec, resource_version,
       created_at, updated_at, owner_kind, owner_name)
     VALUES ($1, $2, 'prod-eu', $3, $4, 'Step', 'Running', '', '{"metrics":[]}', $5, now(), now(), 'Rollout', $6)`,
    [uid, rollout.id, namespace, name, resourceVersion, owner],
  );
  const input = { uid, action: "terminate" as const, reason: "noise", expect: await rollout.look() };
  const ctx = acting.contextOf(actorOf("operator"));
  const { id, state } = await actOnSubject({ ctx, kind: "AnalysisRun", input });
  expect(state).toBe("applied");
  cluster.clock.advance(3_000);
  await acting.owner.query("UPDATE action SET deadline_at = now() - interval '1 second' WHERE id = $1", [id]);
  expect(await stateAfter(id, rollout)).toBe("effective");
});
