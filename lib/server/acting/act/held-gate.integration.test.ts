import { afterEach, beforeEach, expect, it } from "vitest";
import type { Approval } from "#lib/contract/approval.ts";
import type { ActionName } from "#lib/contract/rollout.ts";
import { requestApproval } from "#lib/server/acting/act/request-approval.ts";
import { decideApproval } from "#lib/server/acting/approvals/approvals.ts";
import { createFakeClock } from "#sandbox/controllers/testing/fake-clock.ts";
import { metricOf, podTemplate, putRollout, putTemplate, SELECTOR } from "#sandbox/controllers/testing/own-rollout.ts";
import { createWorld, type World } from "#sandbox/controllers/testing/sandbox-world.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let acting: ActingWorld;
let cluster: World;

beforeEach(async () => {
  acting = await createActingWorld();
  cluster = createWorld({ store: acting.sandbox.store, clock: createFakeClock(), only: [] });
  cluster.clock.advance(50_000);
});
afterEach(() => acting.close());

const app = { namespace: "default", name: "app" };
const analysis = { templates: [{ templateName: "unclear" }] };
const gate = { pause: {} };

const seen = () => {
  const { currentStepIndex, pauseConditions, canary } = cluster.rollout("default/app").status;
  return {
    step: currentStepIndex,
    pauses: (pauseConditions ?? []).map(({ reason }) => reason),
    stepRun: canary?.currentStepAnalysisRunStatus?.status,
    background: canary?.currentBackgroundAnalysisRunStatus?.status,
  };
};

/** Ends the step's run and the background run Inconclusive at the second step. */
async function bothInconclusive(next: Record<string, unknown>[], withBackground = true): Promise<TestRollout> {
  putTemplate(cluster, "unclear", [metricOf("unclear")]);
  const steps = [{ setWeight: 50 }, { analysis }, ...next];
  const background = withBackground ? { analysis: { ...analysis, startingStep: 1 } } : {};
  putRollout(cluster, { selector: SELECTOR, template: podTemplate(), strategy: { canary: { ...background, steps } } });
  cluster.clock.advance(5_000);
  cluster.setImage("default/app", "app:v2");
  cluster.clock.advance(20_000);
  expect(seen()).toMatchObject({ step: 1, stepRun: "Inconclusive" });
  return acting.adoptRollout(app);
}

async function act(rollout: TestRollout, action: ActionName): Promise<void> {
  await rollout.record();
  await acting.act({ rollout, action });
  cluster.clock.advance(3_000);
}

// These cases were observed on argo-rollouts 1.10.2 and 1.9.3.
it("upstream's patch passes the gate: what ours is measured against", async () => {
  await bothInconclusive([gate, { setWeight: 90 }, gate]);
  cluster.patchStatus("default/app", { pauseConditions: null, controllerPause: false, currentStepIndex: 2 });
  cluster.clock.advance(3_000);
  expect(seen()).toMatchObject({ step: 3, pauses: ["InconclusiveAnalysisRun"] });
});

it("accepting a step holds the gate that comes next, and overriding the background run the one after it", async () => {
  const rollout = await bothInconclusive([gate, { setWeight: 90 }, gate]);
  await act(rollout, "accept-step");
  expect(seen()).toEqual({
    step: 2,
    pauses: ["CanaryPauseStep", "InconclusiveAnalysisRun"],
    stepRun: undefined,
    background: "Inconclusive",
  });
  putTemplate(cluster, "unclear", [metricOf("good", true)]);
  await act(rollout, "continue-waive");
  cluster.clock.advance(5_000);
  expect(seen()).toMatchObject({ step: 4, pauses: ["CanaryPauseStep"], background: "Running" });
});

it("a held gate without a background run waits for a plain Continue", async () => {
  const rollout = await bothInconclusive([gate, { setWeight: 90 }], false);
  await act(rollout, "accept-step");
  expect(seen()).toMatchObject({ step: 2, pauses: ["CanaryPauseStep"], stepRun: undefined });
  await act(rollout, "continue");
  expect(seen().step).toBeGreaterThan(2);
});

it("a timed pause that comes next lasts as long as it says, by the cluster's clock", async () => {
  const rollout = await bothInconclusive([{ pause: { duration: "8s" } }, { setWeight: 90 }, gate]);
  // The cluster's clock is months behind ours here.
  const date = new Date(cluster.clock.now());
  acting.setIntercept(async (_request, send) => ({ ...(await send()), date }));
  await act(rollout, "accept-step");
  expect(seen()).toMatchObject({ step: 2, pauses: ["CanaryPauseStep", "InconclusiveAnalysisRun"] });
  cluster.clock.advance(8_000);
  expect(seen()).toMatchObject({ step: 3, pauses: ["InconclusiveAnalysisRun"] });
});

it("overriding while spec.paused stands holds the gate: unpausing first would pass it", async () => {
  const rollout = await bothInconclusive([gate, { setWeight: 90 }]);
  // At the gate with only the Inconclusive condition, as the controller leaves it when spec.paused was set before the
  // pause.
  cluster.patchSpec("default/app", { paused: true });
  const startTime = "2026-01-05T09:00:00Z";
  const pauseConditions = [{ reason: "InconclusiveAnalysisRun", startTime }];
  cluster.patchStatus("default/app", { currentStepIndex: 2, pauseConditions, controllerPause: true });
  cluster.clock.advance(1_000);
  putTemplate(cluster, "unclear", [metricOf("good", true)]);
  acting.setIntercept(async (request, send) => {
    const answer = await send();
    if (request.method === "PATCH") cluster.clock.advance(1_000);
    return answer;
  });
  await act(rollout, "continue-waive");
  expect(seen()).toMatchObject({ step: 2, pauses: ["CanaryPauseStep"] });
});

it("does not pass a gate that nobody was told of: after a conflict the plan must do no more than was asked", async () => {
  const rollout = await bothInconclusive([{ setWeight: 100 }, gate]);
  await rollout.record();
  let isFirst = true;
  acting.setIntercept((request, send) => {
    // As an autoscaler does: with one desired pod the weight is already met, and the controller would run on to the
    // gate.
    if (request.method === "PATCH" && isFirst) cluster.patchSpec("default/app", { replicas: 1 });
    if (request.method === "PATCH") isFirst = false;
    return send();
  });
  await expect(acting.act({ rollout, action: "accept-step" })).rejects.toMatchObject({ code: "stale_view" });
  expect(seen()).toMatchObject({ step: 1, stepRun: "Inconclusive" });
});

it("refuses a click whose dialog did not name the gate that it would pass now, and says which one", async () => {
  const rollout = await bothInconclusive([{ setWeight: 100 }, gate]);
  await rollout.record();
  const view = await rollout.look();
  // As an autoscaler does between dialog and click; the digest of the view is unchanged.
  cluster.patchSpec("default/app", { replicas: 1 });
  cluster.clock.advance(1_000);
  expect((await rollout.look()).viewDigest).toBe(view.viewDigest);
  const asked = { rollout, action: "accept-step" } as const;
  await expect(acting.act({ ...asked, expect: { ...view, passesPauses: [] } })).rejects.toMatchObject({
    code: "stale_view",
    message: expect.stringMatching(/^It may now pass step 4 of 4 \(.*pause.*\)/),
    extra: {
      changes: [{ field: "passesPauses", seen: [], now: [3] }],
      current: {
        viewDigest: view.viewDigest,
        allowedActions: expect.arrayContaining([expect.objectContaining({ action: "accept-step", passesPauses: [3] })]),
      },
    },
  });
  expect(seen()).toMatchObject({ step: 1, stepRun: "Inconclusive" });
  await acting.act({ ...asked, expect: { ...view, passesPauses: [3] } });
});

it("an approval is of the gates that were named when it was asked for, and of no other", async () => {
  acting.setPolicies({ secondPerson: [{ name: "four eyes", actions: ["accept-step"] }] });
  const rollout = await bothInconclusive([{ setWeight: 100 }, gate]);
  await rollout.record();
  const requester = actorOf("operator");
  const approver = { ...requester, subject: "releaser", name: "releaser", username: "releaser" };
  const approve = async (): Promise<Approval> => {
    const input = { ...rollout.path, action: "accept-step", reason: "fine", expect: await rollout.look() } as const;
    const { id, viewDigest } = await requestApproval({ ctx: acting.contextOf(requester), input });
    return decideApproval({ ctx: acting.contextOf(approver), input: { id, decision: "approve", viewDigest } });
  };
  const small = await approve();
  expect(small.passesPauses).toEqual([]);
  cluster.patchSpec("default/app", { replicas: 1 });
  cluster.clock.advance(1_000);
  await rollout.record();
  const expected = { ...(await rollout.look()), passesPauses: [3] };
  const click = ({ id }: Approval) =>
    acting.act({ rollout, action: "accept-step", actor: requester, approval: id, expect: expected });
  await expect(click(small)).rejects.toMatchObject({
    code: "second_person_required",
    message: expect.stringContaining("pause that was not named"),
  });
  const large = await approve();
  expect(large).toMatchObject({ passesPauses: [3], viewDigest: small.viewDigest });
  await expect(click(large)).resolves.toMatchObject({ state: "applied" });
});

it("judges a client that does not say what was named as before", async () => {
  const rollout = await bothInconclusive([{ setWeight: 100 }, gate]);
  await rollout.record();
  const view = await rollout.look();
  cluster.patchSpec("default/app", { replicas: 1 });
  cluster.clock.advance(1_000);
  await expect(acting.act({ rollout, action: "accept-step", expect: view })).resolves.toMatchObject({
    state: "applied",
  });
});
