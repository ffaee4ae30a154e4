import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AuditDetail } from "#lib/contract/audit.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { getAuditEntry } from "#lib/server/pages/audit/get-audit-entry.ts";
import { type ActingWorld, actorOf, createActingWorld, type TestRollout } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

const observedAt = "2026-11-20T12:00:00.000Z";

async function addRun(
  rollout: TestRollout,
  { phase, completedAt, podHash = "new" }: { phase: string; completedAt: string; podHash?: string },
): Promise<string> {
  const uid = randomUUID();
  await world.owner.query(
    `INSERT INTO analysis_run (uid, cluster, namespace, name, type, rollout_id, phase, message, spec, pod_hash,
       created_at, completed_at, updated_at, resource_version)
     SELECT $1, cluster, namespace, $1, 'Step', id, $3, '', '{}', $5, $4::timestamptz - interval '1 minute', $4, now(), '1'
     FROM rollout WHERE id = $2`,
    [uid, rollout.id, phase, completedAt, podHash],
  );
  return uid;
}

async function overriddenBy(
  rollout: TestRollout,
  {
    action,
    detail,
    source = "cluster",
  }: { action: string; detail: Record<string, unknown>; source?: "cluster" | "system" },
): Promise<AuditDetail["overridden"]> {
  let written = 0;
  await appendAudit({
    pool: world.recorder,
    entry: {
      actor: { type: "unknown", name: "kubectl" },
      source,
      code: `${source}.${action}`,
      action,
      target: rollout.path,
      outcome: "applied",
      detail,
      requestId: randomUUID(),
    },
    within: async (_, { seq }) => {
      written = seq;
    },
  });
  const detailOf = await getAuditEntry({ ctx: world.contextOf(actorOf("viewer")), input: { seq: written } });
  return AuditDetail.parse(detailOf).overridden;
}

it("names the Inconclusive run that had ended last when somebody overrode it", async () => {
  const rollout = await world.addRollout();
  await addRun(rollout, { phase: "Inconclusive", completedAt: "2026-11-20T11:00:00Z" });
  const wanted = await addRun(rollout, { phase: "Inconclusive", completedAt: "2026-11-20T11:59:00Z" });
  await addRun(rollout, { phase: "Successful", completedAt: "2026-11-20T11:59:30Z" });
  await addRun(rollout, { phase: "Inconclusive", completedAt: "2026-11-20T11:59:40Z", podHash: "another" });
  await addRun(rollout, { phase: "Inconclusive", completedAt: "2026-11-20T12:10:00Z" });
  const detail = { observedAt, podHash: "new" };
  expect(await overriddenBy(rollout, { action: "accept-step", detail })).toEqual({ uid: wanted, name: wanted });
  expect(await overriddenBy(rollout, { action: "pause", detail })).toBeNull();
  expect(await overriddenBy(rollout, { action: "accept-step", detail: { observedAt } })).toBeNull();
  expect(await overriddenBy(rollout, { action: "accept-step", detail, source: "system" })).toBeNull();
});

it("names the run that somebody ended", async () => {
  const rollout = await world.addRollout();
  const subject = { kind: "AnalysisRun", name: "r", uid: randomUUID() };
  const ended = await overriddenBy(rollout, { action: "terminate", detail: { observedAt, subject } });
  expect(ended).toEqual({ uid: subject.uid, name: "r" });
  const experiment = { ...subject, kind: "Experiment" };
  expect(await overriddenBy(rollout, { action: "terminate", detail: { observedAt, subject: experiment } })).toBeNull();
});
