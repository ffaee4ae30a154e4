import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { at, rolloutStatus, sampleRollout } from "#test/recorder-samples.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { reviewObservations } from "./review-observations.ts";

/** Sends the patches of kubectl and its plugin to the sandbox's own API, and checks the entries that they leave. */

let world: RecorderWorld;
let pool: ReturnType<typeof createTestPool>;
beforeAll(async () => {
  world = await createRecorderWorld();
  pool = createTestPool(world.database.recorderUrl, 4);
  await world.start();
});
afterAll(async () => {
  await pool.end();
  await world.close();
});

type Patch = { by: string; status?: Record<string, unknown>; spec?: Record<string, unknown> };

const waiting = {
  currentPodHash: "bbb",
  stableRS: "aaa",
  currentStepIndex: 1,
  controllerPause: true,
  pauseConditions: [{ reason: "CanaryPauseStep", startTime: at(0) }],
};

async function send(name: string, { by, ...body }: Patch): Promise<void> {
  const subresource = body.status === undefined ? "" : "/status";
  const path = `/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/${name}${subresource}?fieldManager=${by}`;
  const before = await observed(name);
  const answer = await fetch(world.sandbox.url + path, {
    method: "PATCH",
    headers: { authorization: `Bearer ${world.sandbox.token}`, "content-type": "application/merge-patch+json" },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  await waitFor("the patch is observed", async () => (await observed(name)) > before);
}

async function observed(name: string): Promise<number> {
  const [row] = await world.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM observation o JOIN rollout r ON r.id = o.rollout_id WHERE r.name = $1",
    [name],
  );
  return row?.count ?? 0;
}

const specOf = (image: string) => sampleRollout({ name: "any", image }).spec as Record<string, unknown>;
const template = (image: string) => ({ template: specOf(image).template });
const review = () =>
  reviewObservations({
    pool,
    place: { seen: 0n },
    onError: (error) => {
      throw error;
    },
  });

type Case = { name: string; before?: Patch[]; patches: Patch[]; expected: string[] };
const plugin = "kubectl-argo-rollouts";
const cases: Case[] = [
  {
    name: "abort",
    patches: [{ by: plugin, status: { abort: true } }],
    expected: ["cluster.abort by kubectl-argo-rollouts"],
  },
  {
    name: "retry",
    before: [{ by: "kubectl-patch", status: { abort: true } }],
    patches: [{ by: plugin, status: { abort: false } }],
    expected: ["cluster.retry by kubectl-argo-rollouts"],
  },
  {
    name: "promote",
    patches: [{ by: plugin, status: { pauseConditions: null } }],
    expected: ["cluster.continue by client unknown"],
  },
  {
    name: "promote-full",
    patches: [{ by: plugin, status: { promoteFull: true } }],
    expected: ["cluster.promote-full by kubectl-argo-rollouts"],
  },
  {
    name: "skip",
    before: [
      { by: "rollouts-controller", status: { pauseConditions: null, controllerPause: null, currentStepIndex: 0 } },
    ],
    patches: [{ by: plugin, status: { currentStepIndex: 1 } }],
    expected: ["cluster.skip-step by kubectl-argo-rollouts"],
  },
  {
    name: "pause",
    patches: [{ by: plugin, spec: { paused: true } }],
    expected: ["cluster.pause by kubectl-argo-rollouts"],
  },
  {
    name: "resume",
    before: [{ by: "kubectl-edit", spec: { paused: true } }],
    patches: [{ by: plugin, spec: { paused: false } }],
    expected: ["cluster.unpause by kubectl-argo-rollouts"],
  },
  {
    name: "restart",
    patches: [{ by: plugin, spec: { restartAt: "2026-11-20T12:00:00Z" } }],
    expected: ["cluster.restart by kubectl-argo-rollouts"],
  },
  {
    name: "undo",
    before: [
      { by: "rollouts-controller", status: { currentPodHash: "hash-1" } },
      { by: "deployer", spec: template("shop:2") },
      { by: "rollouts-controller", status: { currentPodHash: "hash-2" } },
    ],
    patches: [
      // As a ReplicaSet has it: the same pods, written differently.
      {
        by: plugin,
        spec: { template: { ...(specOf("shop:1").template as object), metadata: { labels: { app: "x" } } } },
      },
      { by: "rollouts-controller", status: { currentPodHash: "hash-1" } },
    ],
    expected: ["cluster.undo by kubectl-argo-rollouts"],
  },
  { name: "set-image", patches: [{ by: plugin, spec: template("shop:3") }], expected: [] },
  {
    name: "set-image-and-abort",
    patches: [
      { by: plugin, spec: template("shop:4") },
      { by: "kubectl-patch", status: { abort: true } },
    ],
    expected: ["cluster.abort by kubectl-patch"],
  },
  {
    name: "controller",
    patches: [
      { by: "rollouts-controller", status: { controllerPause: null, pauseConditions: null, currentStepIndex: 3 } },
      { by: "rollouts-controller", status: { stableRS: "bbb" } },
    ],
    expected: ["cluster.continue by client unknown"],
  },
  {
    name: "controller-abort",
    patches: [
      {
        by: "rollouts-controller",
        status: {
          abort: true,
          abortedAt: at(9),
          message: "RolloutAborted: Rollout aborted update to revision 2: metric failed",
        },
      },
    ],
    expected: [],
  },
];

describe("a patch that is no action of ours", () => {
  it.each(cases)("$name: $expected", async ({ name, before = [], patches, expected }) => {
    const sample = sampleRollout({ name });
    const spec = { ...(sample.spec as Record<string, unknown>), ...template("shop:1") };
    world.sandbox.store.create("rollouts", { ...sample, spec }, { manager: "creator" });
    await waitFor("it is observed", async () => (await observed(name)) > 0);
    await send(name, { by: "rollouts-controller", status: rolloutStatus(waiting) });
    for (const patch of before) await send(name, patch);
    await review();
    const rows = () =>
      world.query<{ said: string }>(
        "SELECT code || ' by ' || actor_name AS said FROM audit_entry WHERE name = $1 AND source = 'cluster' ORDER BY seq",
        [name],
      );
    const earlier = (await rows()).length;
    for (const patch of patches) await send(name, patch);
    await review();
    expect((await rows()).slice(earlier).map(({ said }) => said)).toEqual(expected);
  });
});
