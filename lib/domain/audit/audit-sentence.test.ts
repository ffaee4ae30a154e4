import { describe, expect, it } from "vitest";
import type { AuditEntry } from "./audit-entry.ts";
import { formatAuditSentence, joinSentence } from "./audit-sentence.ts";

const entry: AuditEntry = {
  seq: 1,
  time: "2026-11-20T10:00:00.000000Z",
  actor: { type: "user", name: "Oncall" },
  source: "gatehouse",
  code: "action.abort",
  action: "abort",
  target: { cluster: "a", namespace: "payments", kind: "Rollout", name: "checkout" },
  outcome: "applied",
  detail: { weight: 50, actualWeight: 40, step: 3, stepCount: 8 },
  requestId: "r",
};

const person = {
  found: true,
  type: "user",
  name: "sre-oncall@example.com",
  program: "kubectl-argo-rollouts",
  userAgent: "kubectl-argo-rollouts/v1.10.2 (linux/amd64)",
  evidence: "time",
};

describe("formatAuditSentence", () => {
  it("marks the names", () => {
    expect(formatAuditSentence(entry)).toEqual([
      { text: "Oncall", strong: true },
      { text: " aborted ", strong: false },
      { text: "payments/checkout", strong: true },
      { text: " at 40 %", strong: false },
    ]);
  });

  it.each<{ name: string; change: Partial<AuditEntry>; text: string }>([
    { name: "intent", change: { outcome: "intent" }, text: "Oncall asked to abort payments/checkout at 40 %" },
    {
      name: "zero weight",
      change: { detail: { weight: 25, actualWeight: 0 } },
      text: "Oncall aborted payments/checkout at 0 %",
    },
    {
      name: "no weight",
      change: { detail: { step: 0, stepCount: 8 } },
      text: "Oncall aborted payments/checkout at step 1 of 8",
    },
    {
      name: "the freeze that was broken",
      change: { action: "continue", detail: { actualWeight: 40, brokenFreeze: "inventory" } },
      text: 'Oncall continued payments/checkout at 40 %, overriding freeze "inventory"',
    },
    ...[
      { problem: "frozen", why: 'frozen by "inventory, weekend"', policy: "inventory, weekend" },
      { problem: "second_person_required", why: 'rule "payments" requires approval', policy: "payments" },
      { problem: "barrier", why: 'held back by set "checkout"', policy: "checkout" },
      { problem: "ticket_refused", why: 'refused by ticket check "change"', policy: "change" },
      {
        problem: "reauthentication_required",
        why: '"inventory" can be overridden only after a recent sign-in',
        policy: "inventory",
      },
    ].map(({ problem, policy, why }) => ({
      name: `the policy that refused: ${problem}`,
      change: { outcome: "refused" as const, detail: { problem, policy, actualWeight: 40 } },
      text: `Oncall was not allowed to abort payments/checkout at 40 %: ${why}`,
    })),
    {
      name: "the set whose members it did not wait for",
      change: { action: "continue", detail: { actualWeight: 40, brokenFreeze: "inventory", aheadOfSet: "checkout" } },
      text: 'Oncall continued payments/checkout at 40 %, overriding freeze "inventory", ahead of set "checkout"',
    },
    {
      name: "an image",
      change: { action: "set-image", detail: { params: { container: "app", image: "shop/app:2" }, weight: 40 } },
      text: "Oncall set an image of payments/checkout to shop/app:2",
    },
    {
      name: "a revision",
      change: { action: "undo", detail: { params: { toRevision: 3 }, step: 1, stepCount: 8 } },
      text: "Oncall rolled back payments/checkout to revision 3",
    },
    {
      name: "a revision of what the page is about",
      change: { action: "undo", outcome: "intent", target: { name: "it" }, detail: { params: { toRevision: 3 } } },
      text: "Oncall asked to roll it back to revision 3",
    },
    {
      name: "no effect",
      change: {
        actor: { type: "system", name: "Gatehouse" },
        code: "action.without-effect",
        action: "abort",
        outcome: undefined,
      },
      text: "Gatehouse saw no effect of the request to abort payments/checkout",
    },
    ...[
      {
        code: "action.without-effect",
        detail: { watched: true },
        text: "saw no effect yet of the request to abort payments/checkout",
      },
      {
        code: "action.took-effect",
        detail: { afterSeconds: 360 },
        text: "saw the request to abort payments/checkout take effect after 6 min",
      },
      {
        code: "action.took-effect",
        detail: { afterSeconds: 95 },
        text: "saw the request to abort payments/checkout take effect after 95 s",
      },
      {
        code: "action.superseded",
        detail: {},
        text: "saw the request to abort payments/checkout superseded before it took effect",
      },
      {
        code: "action.given-up",
        detail: { hours: 24 },
        text: "gave up waiting for an effect of the request to abort payments/checkout",
      },
    ].map(({ code, detail, text }) => ({
      name: text,
      change: {
        actor: { type: "system" as const, name: "Gatehouse" },
        code,
        action: "abort",
        outcome: undefined,
        detail,
      },
      text: `Gatehouse ${text}`,
    })),
    { name: "what begins anew", change: { action: "retry" }, text: "Oncall retried payments/checkout" },
    {
      name: "a run",
      change: { action: "terminate", detail: { subject: { kind: "AnalysisRun", name: "run-1", uid: "u" } } },
      text: "Oncall terminated run run-1 of payments/checkout",
    },
    {
      name: "an Experiment, asked for",
      change: {
        action: "retry",
        outcome: "intent",
        detail: { subject: { kind: "Experiment", name: "e-1", uid: "u" } },
      },
      text: "Oncall asked to retry experiment e-1 of payments/checkout",
    },
    {
      name: "a run that was not found",
      change: {
        action: "terminate",
        outcome: "refused",
        target: undefined,
        detail: { subject: { kind: "AnalysisRun", uid: "u-1" } },
      },
      text: "Oncall was not allowed to terminate run u-1",
    },
    {
      name: "a code that its outcome tells more of",
      change: {
        actor: { type: "system", name: "Gatehouse" },
        code: "retention.deleted",
        action: undefined,
        target: undefined,
      },
      text: "Gatehouse deleted expired rows",
    },
    {
      name: "a code whatever its outcome",
      change: { code: "config.confirmed", action: undefined, target: undefined },
      text: "Oncall confirmed a held config",
    },
    {
      name: "what was held of a source",
      change: {
        code: "source.hold-released",
        action: undefined,
        target: { id: "a/Rollout", cluster: "a", kind: "Rollout" },
        detail: { objects: 12 },
      },
      text: "Oncall confirmed that 12 held Rollouts of a are gone",
    },
    {
      name: "what was held of a source of one namespace",
      change: {
        code: "source.hold-released",
        action: undefined,
        target: { id: "a/Rollout/shop", cluster: "a", kind: "Rollout", namespace: "shop" },
        detail: { objects: 1 },
      },
      text: "Oncall confirmed that 1 held Rollout of a is gone from shop",
    },
    {
      name: "a release that was refused",
      change: {
        code: "source.hold-released",
        action: undefined,
        target: { id: "a/rollouts" },
        outcome: "refused",
        detail: undefined,
      },
      text: "Oncall was not allowed to release the objects held by a/rollouts",
    },
    {
      name: "a fault that was played",
      change: {
        code: "sandbox.fault",
        action: undefined,
        target: undefined,
        detail: { fault: "empty", resource: "rollouts" },
      },
      text: "Oncall played the fault empty on rollouts of the demo's cluster",
    },
    {
      name: "the end of all faults",
      change: {
        code: "sandbox.fault",
        action: undefined,
        target: undefined,
        outcome: "intent",
        detail: { fault: "none" },
      },
      text: "Oncall asked to end the faults of the demo's cluster",
    },
    { name: "no detail", change: { detail: undefined }, text: "Oncall aborted payments/checkout" },
    {
      name: "seen in the cluster",
      change: {
        source: "cluster",
        actor: { type: "unknown", name: "kubectl" },
        detail: { client: "kubectl", weight: 40 },
      },
      text: "kubectl, outside Gatehouse, aborted payments/checkout with the weight set to 40 %",
    },
    ...[
      { name: "two steps", action: "skip-step", skipped: { first: 4, last: 5 }, did: "skipped steps 4 and 5 of" },
      { name: "one step", action: "skip-step", skipped: { first: 4, last: 4 }, did: "skipped step 4 of" },
      {
        name: "all steps",
        action: "skip-all",
        skipped: { first: 4, last: 8 },
        did: "skipped steps 4 to 8, all that were left, of",
      },
    ].map(({ name, action, skipped, did }) => ({
      name: `skipped in the cluster: ${name}`,
      change: { source: "cluster" as const, action, detail: { client: "kubectl-patch", weight: 40, skipped } },
      text: `kubectl-patch, outside Gatehouse, ${did} payments/checkout`,
    })),
    ...[
      { toRevision: 2, images: ["app:2"], back: "revision 2 (app:2)" },
      { toRevision: null, images: ["app:2", "log:1"], back: "app:2, log:1" },
    ].map(({ toRevision, images, back }) => ({
      name: `a former template in the cluster: ${back}`,
      change: {
        source: "cluster" as const,
        action: "undo",
        detail: { client: "kubectl-argo-rollouts", weight: 40, params: { toRevision }, images },
      },
      text: `kubectl-argo-rollouts, outside Gatehouse, rolled back payments/checkout to ${back}`,
    })),
    ...[
      { steps: [3], what: "the gate at step 3" },
      { steps: [3, 5], what: "the gates at steps 3 and 5" },
    ].map(({ steps, what }) => ({
      name: `what the controller skipped: ${what}`,
      change: {
        source: "cluster" as const,
        code: "gate.skipped",
        action: undefined,
        actor: { type: "unknown" as const, name: "Argo Rollouts controller" },
        detail: { steps, run: "checkout-7-2" },
      },
      text: `Argo Rollouts controller skipped ${what} of payments/checkout: background analysis checkout-7-2 Inconclusive`,
    })),
    {
      name: "seen in the cluster, client unknown",
      change: { source: "cluster", actor: { type: "unknown", name: "client unknown" }, detail: { client: null } },
      text: "Client unknown, outside Gatehouse, aborted payments/checkout",
    },
    {
      name: "seen in the cluster, by a person whom the API server names",
      change: {
        source: "cluster",
        actor: { type: "kubernetes-user", name: "sre-oncall@example.com" },
        detail: { client: "kubectl-argo-rollouts", weight: 40, person },
      },
      text: "sre-oncall@example.com, with kubectl-argo-rollouts, aborted payments/checkout with the weight set to 40 %",
    },
    {
      name: "the person behind an earlier entry",
      change: { source: "cluster", code: "cluster.attributed", detail: { explains: 12, person } },
      text: "sre-oncall@example.com, with kubectl-argo-rollouts, aborted payments/checkout (entry 12)",
    },
    {
      name: "an earlier entry whose person cannot be told from others",
      change: {
        source: "cluster",
        code: "cluster.attributed",
        detail: { explains: 12, client: "kubectl", person: { found: false, ambiguous: true, senders: 2 } },
      },
      text: "kubectl, outside Gatehouse, aborted payments/checkout (entry 12): ambiguous, requests of 2 senders fit",
    },
    {
      name: "a person in no form that we write",
      change: { source: "cluster", detail: { client: "kubectl", person: { found: true, name: 1 } } },
      text: "kubectl, outside Gatehouse, aborted payments/checkout",
    },
    {
      name: "approval",
      change: { code: "approval.request", detail: {} },
      text: "Oncall requested approval to abort payments/checkout",
    },
    ...[
      { rules: [{ approvers: 1, approved: 1 }], remark: "" },
      { rules: [{ approvers: 2, approved: 1 }], remark: " (1 of 2)" },
      {
        rules: [
          { approvers: 2, approved: 2 },
          { approvers: 1, approved: 0 },
        ],
        remark: " (2 of 2, 0 of 1)",
      },
      { rules: ["two", null], remark: "" },
    ].map(({ rules, remark }) => ({
      name: `approval of ${JSON.stringify(rules)}`,
      change: { code: "approval.approve", detail: { rules } },
      text: `Oncall approved the request to abort payments/checkout${remark}`,
    })),
    {
      name: "refused",
      change: { outcome: "refused", detail: undefined },
      text: "Oncall was not allowed to abort payments/checkout",
    },
    {
      name: "unknown",
      change: { outcome: "unknown", detail: undefined },
      text: "Oncall asked to abort payments/checkout, outcome unknown",
    },
    {
      name: "token",
      change: { actor: { type: "token", name: "Oncall", token: { id: "1", name: "ci" } } },
      text: "Oncall (token ci) aborted payments/checkout at 40 %",
    },
    {
      name: "found by the recorder",
      change: { actor: { type: "system", name: "Gatehouse" }, source: "system", detail: undefined },
      text: "Gatehouse found that the request to abort payments/checkout was applied",
    },
    {
      name: "by Gatehouse's own decision",
      change: { actor: { type: "system", name: "Gatehouse" }, action: "pause", detail: undefined },
      text: "Gatehouse paused payments/checkout",
    },
    {
      name: "sign-in",
      change: { code: "session.signin", action: undefined, target: undefined, outcome: undefined, detail: undefined },
      text: "Oncall signed in",
    },
    {
      name: "an action for a later time",
      change: { code: "action.schedule", detail: { dueAt: "2026-11-23T08:00:00.000Z" } },
      text: "Oncall asked to abort payments/checkout at 2026-11-23 08:00 UTC",
    },
    {
      name: "an action that could not be scheduled",
      change: { code: "action.schedule", outcome: "refused", detail: { dueAt: "2026-11-23T08:00:00.000Z" } },
      text: "Oncall was not allowed to abort payments/checkout at 2026-11-23 08:00 UTC",
    },
    {
      name: "a scheduled action that was not done",
      change: {
        ...{ code: "action.schedule", outcome: "refused", source: "system" },
        actor: { type: "system", name: "Gatehouse" },
        detail: { dueAt: "2026-11-23T08:00:00.000Z" },
      },
      text: "Gatehouse dropped the request to abort payments/checkout at 2026-11-23 08:00 UTC",
    },
    {
      name: "a scheduled action that was withdrawn",
      change: { code: "action.unschedule", detail: { dueAt: "never" } },
      text: "Oncall withdrew the request to abort payments/checkout",
    },
    {
      name: "a scheduled action that was done",
      change: { detail: { actualWeight: 40, scheduled: "id" } },
      text: "Oncall aborted payments/checkout at 40 % (scheduled)",
    },
    { name: "unknown code", change: { code: "x.y", action: undefined, target: undefined }, text: "Oncall x.y" },
    {
      name: "unknown action",
      change: { action: "dance", detail: undefined },
      text: "Oncall did dance on payments/checkout",
    },
  ])("$name", ({ change, text }) => {
    expect(joinSentence(formatAuditSentence({ ...entry, ...change }))).toBe(text);
  });
});
