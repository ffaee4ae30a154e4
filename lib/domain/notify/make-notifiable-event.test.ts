import { describe, expect, it } from "vitest";
import type { AuditEntry } from "#lib/domain/audit/audit-entry.ts";
import {
  type AttentionChange,
  eventOfAttention,
  eventOfAuditEntry,
  eventOfWaitEnd,
  nameVersion,
} from "./make-notifiable-event.ts";

const change: AttentionChange = {
  rolloutId: "r-1",
  rollout: { cluster: "prod", namespace: "shop", kind: "Rollout", name: "web" },
  reason: "pause",
  since: "2026-11-23T10:00:00.000Z",
  severity: "info",
  message: "CanaryPauseStep",
  step: 1,
  stepCount: 5,
  revision: 7,
  images: ["shop/web:v2", "shop/proxy:v1@sha256:ab"],
  isFirstSight: false,
  at: "2026-11-23T10:00:01.000Z",
};

describe("eventOfAttention", () => {
  it.each<{ name: string; given: Partial<AttentionChange>; kind: string; title: string; sentence: string }>([
    {
      name: "a pause at a step",
      given: {},
      kind: "waiting",
      title: "Waits for a person at step 2 of 5",
      sentence: "shop/web waits for a person at step 2 of 5: CanaryPauseStep",
    },
    {
      name: "a pause without steps or message",
      given: { stepCount: 0, step: null, message: "" },
      kind: "waiting",
      title: "Waits for a person",
      sentence: "shop/web waits for a person.",
    },
    {
      name: "past the last step",
      given: { step: 5 },
      kind: "waiting",
      title: "Waits for a person at step 5 of 5",
      sentence: "shop/web waits for a person at step 5 of 5: CanaryPauseStep",
    },
    {
      name: "blue-green",
      given: { reason: "blueGreenPromotion", message: "" },
      kind: "waiting",
      title: "Waits for its promotion",
      sentence: "shop/web waits for a person to promote it.",
    },
    {
      name: "a gate",
      given: { reason: "gate", message: "" },
      kind: "waiting",
      title: "Waits at a gate",
      sentence: "shop/web waits for a person to open its gate.",
    },
    {
      name: "Inconclusive",
      given: { reason: "inconclusive", severity: "warning", message: "" },
      kind: "inconclusive",
      title: "Analysis Inconclusive at step 2 of 5",
      sentence: "shop/web needs a decision: its analysis is Inconclusive.",
    },
    {
      name: "degraded",
      given: { reason: "degraded", severity: "critical", message: "RolloutAborted: errors failed" },
      kind: "promotion-failing",
      title: "Release failing",
      sentence: "shop/web is degraded: RolloutAborted: errors failed",
    },
    {
      name: "aborted by a person",
      given: { reason: "degraded", severity: "info", message: "" },
      kind: "promotion-failing",
      title: "Aborted",
      sentence: "shop/web was aborted by a person.",
    },
  ])("$name", ({ given, kind, title, sentence }) => {
    expect(eventOfAttention({ ...change, ...given })).toMatchObject({ kind, title, sentence });
  });

  it("leaves findings to whoever finds them", () => {
    expect(eventOfAttention({ ...change, reason: "finding" })).toBeUndefined();
  });

  it.each<[same: boolean, given: Partial<AttentionChange>]>([
    [true, {}],
    [true, { message: "other words", step: 2, at: "2026-11-23T11:00:00.000Z", isFirstSight: true }],
    [false, { since: "2026-11-23T10:00:05.000Z" }],
    [false, { reason: "inconclusive" }],
    [false, { severity: "critical" }],
    [false, { rolloutId: "r-2" }],
  ])("has the same id (%s) with %j", (same, given) => {
    const [one, other] = [eventOfAttention(change), eventOfAttention({ ...change, ...given })];
    expect(one?.id === other?.id).toBe(same);
  });

  it("is as old as its wait if the rollout was not known before, and new otherwise", () => {
    expect(eventOfAttention(change)?.at).toBe(change.at);
    expect(eventOfAttention({ ...change, isFirstSight: true })?.at).toBe(change.since);
  });

  it("is about a wait, which stays the same while it becomes more severe", () => {
    const matter = { rolloutId: "r-1", cause: "pause", version: "sha256:ab v1 v2", since: change.since };
    expect(eventOfAttention(change)?.matter).toMatchObject(matter);
    const idOf = (given: Partial<AttentionChange>) => eventOfAttention({ ...change, ...given })?.matter?.id;
    expect(idOf({ severity: "critical", message: "m" })).toBe(idOf({}));
    for (const other of [{ reason: "gate" as const }, { rolloutId: "r-2" }, { since: "2026-11-23T10:00:05.000Z" }])
      expect(idOf(other)).not.toBe(idOf({}));
  });

  it("leads to the rollout", () => {
    const rollout = { cluster: "prod", namespace: "shop", kind: "Rollout", name: "a b" };
    expect(eventOfAttention({ ...change, rollout })?.path).toBe("/rollouts/prod/shop/Rollout/a%20b");
  });
});

it.each([
  { images: [], version: null },
  { images: ["shop/web"], version: null },
  { images: ["shop/web:v2", "shop/api:v2"], version: "v2" },
  { images: ["shop/web:v2", "shop/proxy:v1"], version: "v1 v2" },
])("names the version of $images", ({ images, version }) => {
  expect(nameVersion(images)).toBe(version);
});

describe("eventOfWaitEnd", () => {
  const began = eventOfAttention(change);
  it("says what is over, and how long it lasted", () => {
    if (began === undefined) throw new Error("nothing began");
    const ended = eventOfWaitEnd(began, new Date("2026-11-23T10:12:00.400Z"));
    expect(ended).toMatchObject({
      ...{ kind: "wait-ended", severity: "info", target: change.rollout, matter: began.matter },
      ...{ title: "Over: Waits for a person at step 2 of 5", sentence: "shop/web no longer waits, after 12 min." },
    });
    expect(ended?.id).not.toBe(began.id);
    // A cluster's clock may be ahead.
    expect(eventOfWaitEnd(began, new Date("2026-11-23T09:00:00Z"))?.sentence).toContain("after 0 s");
  });

  it("leaves findings to whoever finds them", () => {
    const finding = {
      ...began,
      matter: { id: "f", rolloutId: null, cause: "stale", version: null, since: change.since },
    };
    expect(eventOfWaitEnd(finding as NonNullable<typeof began>, new Date())).toBeUndefined();
  });
});

const entry: AuditEntry = {
  seq: 12,
  time: "2026-11-23T10:00:00.123456Z",
  actor: { type: "user", name: "Oncall" },
  source: "gatehouse",
  code: "action.abort",
  action: "abort",
  outcome: "applied",
  target: { cluster: "prod", namespace: "shop", kind: "Rollout", name: "web" },
  reason: "errors",
  requestId: "r",
};

describe("eventOfAuditEntry", () => {
  it.each<{ name: string; given: Partial<AuditEntry>; kind: string; severity: string; title: string }>([
    { name: "applied", given: {}, kind: "action", severity: "info", title: "Abort: applied" },
    { name: "refused", given: { outcome: "refused" }, kind: "action", severity: "info", title: "Abort: refused" },
    {
      name: "partial",
      given: { outcome: "partial" },
      kind: "action",
      severity: "warning",
      title: "Abort: partially applied",
    },
    {
      name: "unknown",
      given: { outcome: "unknown" },
      kind: "action",
      severity: "warning",
      title: "Abort: outcome unknown",
    },
    {
      name: "a broken freeze",
      given: { code: "action.continue", action: "continue", detail: { brokenFreeze: "weekend" } },
      kind: "action",
      severity: "warning",
      title: "Continue: applied",
    },
    {
      name: "ahead of a set",
      given: { code: "action.continue", action: "continue", detail: { aheadOfSet: "checkout" } },
      kind: "action",
      severity: "warning",
      title: "Continue: applied",
    },
    {
      name: "without effect",
      given: { code: "action.without-effect", source: "system", outcome: undefined as never },
      kind: "action",
      severity: "warning",
      title: "Abort: no effect yet",
    },
    {
      name: "took effect",
      given: { code: "action.took-effect", source: "system", outcome: undefined as never },
      kind: "action",
      severity: "info",
      title: "Abort: took effect",
    },
    {
      name: "outside Gatehouse",
      given: { code: "cluster.abort", source: "cluster", detail: { client: "kubectl" } },
      kind: "action",
      severity: "warning",
      title: "Abort outside Gatehouse",
    },
    {
      name: "a skipped gate",
      given: { code: "gate.skipped", source: "cluster", action: undefined as never },
      kind: "action",
      severity: "warning",
      title: "Gate skipped",
    },
    {
      name: "a request for a second person",
      given: { code: "approval.request", action: "promote-full", outcome: "applied" },
      kind: "waiting",
      severity: "info",
      title: "Approval requested: Promote fully",
    },
    {
      name: "an agent's proposal",
      given: {
        code: "approval.request",
        action: "abort",
        outcome: "applied",
        detail: { agent: { id: "t", name: "bot" } },
      },
      kind: "waiting",
      severity: "info",
      title: "Proposed by an agent: Abort",
    },
    {
      name: "an approval that is not enough yet",
      given: {
        ...{ code: "approval.approve", action: "promote-full", outcome: "applied" },
        detail: { rules: [{ rule: "two", approvers: 2, approved: 1 }] },
      },
      kind: "waiting",
      severity: "info",
      title: "More approvals needed: Promote fully",
    },
    {
      name: "a scheduled action",
      given: { code: "action.schedule" },
      kind: "action",
      severity: "info",
      title: "Abort: scheduled",
    },
    {
      name: "a scheduled action that was withdrawn",
      given: { code: "action.unschedule" },
      kind: "action",
      severity: "info",
      title: "Abort: withdrawn",
    },
    {
      name: "a scheduled action that could not be done",
      given: { code: "action.schedule", outcome: "refused", source: "system" },
      kind: "action",
      severity: "warning",
      title: "Abort: scheduled, not done",
    },
    {
      name: "a scheduled action that was refused at its time",
      given: { outcome: "refused", detail: { scheduled: "id" } },
      kind: "action",
      severity: "warning",
      title: "Abort: refused",
    },
    {
      name: "an action that this version does not know",
      given: { code: "action.dance", action: "dance" },
      kind: "action",
      severity: "info",
      title: "dance: applied",
    },
  ])("$name", ({ given, kind, severity, title }) => {
    expect(eventOfAuditEntry({ ...entry, ...given })).toMatchObject({ kind, severity, title });
  });

  it.each<[name: string, given: Partial<AuditEntry>]>([
    ["intents", { outcome: "intent" }],
    ["sign-ins", { code: "session.signin" }],
    ["approvals that were given", { code: "approval.approve", action: "promote-full" }],
    [
      "the last approval",
      {
        ...{ code: "approval.approve", action: "promote-full", outcome: "applied" },
        detail: { rules: [{ rule: "two", approvers: 2, approved: 2 }] },
      },
    ],
    ["requests for a second person that were refused", { code: "approval.request", outcome: "refused" }],
    ["what names no object", { target: {} }],
    ["config loads", { code: "config.loaded", source: "system" }],
  ])("tells nobody of %s", (_, given) => {
    expect(eventOfAuditEntry({ ...entry, ...given })).toBeUndefined();
  });

  it("says who must approve", () => {
    const requires = 'Rule "two" requires 2 other people from sre.';
    const given = {
      code: "approval.request",
      action: "promote-full",
      outcome: "applied",
      detail: { requires },
    } as const;
    expect(eventOfAuditEntry({ ...entry, ...given })?.facts).toContainEqual({ label: "Required", value: requires });
  });

  it("has the entry's sentence, reason, link and time", () => {
    expect(eventOfAuditEntry({ ...entry, detail: { message: "done" } })).toMatchObject({
      sentence: "Oncall aborted shop/web.",
      facts: [
        { label: "By", value: "Oncall" },
        { label: "Reason", value: "errors" },
        { label: "Answer", value: "done" },
      ],
      path: "/audit/12",
      at: "2026-11-23T10:00:00.123Z",
    });
  });

  it("has one id per entry", () => {
    expect(eventOfAuditEntry(entry)?.id).toBe(eventOfAuditEntry({ ...entry })?.id);
    expect(eventOfAuditEntry({ ...entry, seq: 13 })?.id).not.toBe(eventOfAuditEntry(entry)?.id);
  });
});
