import { describe, expect, it } from "vitest";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { type AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";
import { computeCanaryAttention } from "#lib/domain/flagger/view/compute-attention.ts";
import { summarizeCanary } from "#lib/domain/flagger/view/summarize.ts";
import { assess } from "#lib/domain/flagger/view/testing/assess-sample.ts";
import { canaryOf } from "#lib/domain/flagger/view/testing/sample-canary.ts";
import { stateCases } from "#lib/domain/flagger/view/testing/state-cases.ts";
import { judgeGate } from "./gate.ts";

const example = RolloutDetail.parse(answers.getRollout);
const needs = { reason: false, secondPerson: null, freeze: null, breakGlass: false };
const actionOf = (protective: boolean, freeze: AllowedAction["needs"]["freeze"] = null): AllowedAction => ({
  ...{ action: protective ? "abort" : "promote-full", label: "x", protective, allowed: false },
  needs: { ...needs, freeze },
});
const frozen = { name: "weekend", until: "2026-11-30T08:00:00.000Z", because: 'Frozen by "weekend" until Monday.' };
const idle: RolloutDetail = {
  ...example,
  ...{ phase: "Healthy", aborted: false, revisionKey: "k", stableRevisionKey: "k", presence: "live" },
  images: [{ image: "registry/shop:v1", tags: ["stable"] }],
  source: { state: "live", lastContact: null, fresh: true, reason: null },
  ...{ findings: { open: 0, worst: null }, attention: null, advanceRefused: null },
  allowedActions: [actionOf(true), actionOf(false)],
};
/** A Canary whose last release has failed. */
const failed: Partial<RolloutDetail> = { phase: "Degraded", providerPhase: "Failed", revisionKey: "new" };
const degraded = { reason: "degraded", since: "2026-11-24T12:00:00.000Z" } as const;
type Case = { name: string; now: Partial<RolloutDetail>; text: string };

describe("the gate of a pipeline", () => {
  it.each<Case>([
    { name: "nothing is under way", now: {}, text: "open: promoted: v1" },
    { name: "the last release was aborted", now: { aborted: true, revisionKey: "new" }, text: "open: aborted: v1" },
    {
      name: "the last release of a Canary has failed",
      now: { ...failed, attention: { ...degraded, severity: "warning" } },
      text: "open: aborted: v1",
    },
    { name: "a failed Canary is back at its version", now: { ...failed, attention: null }, text: "open: aborted: v1" },
    { name: "its only version fails", now: { phase: "Degraded" }, text: "open: degraded: v1" },
    { name: "a finding is a warning", now: { findings: { open: 1, worst: "warning" } }, text: "open: promoted: v1" },
    {
      name: "a freeze covers only protective actions",
      now: { allowedActions: [actionOf(true, frozen), actionOf(false)] },
      text: "open: promoted: v1",
    },
  ])("is open if $name", ({ now, text }) => {
    expect(judgeGate({ ...idle, ...now })).toEqual({ outcome: "open", text });
  });

  it.each<Case>([
    {
      name: "a release waits",
      now: { phase: "Paused", revisionKey: "new" },
      text: "a release is under way: paused: v1",
    },
    {
      name: "a release is stuck",
      now: { phase: "Degraded", revisionKey: "new" },
      text: "a release is under way: degraded: v1",
    },
    {
      name: "the failed version of a Canary may still serve",
      now: { ...failed, attention: { ...degraded, severity: "critical" } },
      text: "a release is under way: degraded: v1",
    },
    {
      name: "a failed Canary is suspended",
      now: { ...failed, phase: "Paused", attention: { ...degraded, reason: "pause", severity: "info" } },
      text: "a release is under way: paused: v1",
    },
    {
      name: "Gatehouse refuses to advance it, whoever asks",
      now: { advanceRefused: { reasonCode: "config_error", reason: "The config file has an error." }, phase: "Paused" },
      text: "The config file has an error.",
    },
    { name: "it was paused as a whole", now: { phase: "Paused" }, text: "a release is under way: paused: v1" },
    {
      name: "nothing was promoted yet",
      now: { phase: "Progressing", stableRevisionKey: null },
      text: "a release is under way: progressing: v1",
    },
    {
      name: "a freeze is in force",
      now: { allowedActions: [actionOf(true), actionOf(false, frozen)] },
      text: frozen.because,
    },
    {
      name: "no action says whether a freeze is in force",
      now: { allowedActions: [actionOf(true)] },
      text: "it is not known whether a freeze is in force",
    },
    {
      name: "a finding is critical",
      now: { findings: { open: 3, worst: "critical" } },
      text: "it has a critical finding",
    },
    { name: "the cluster has deleted it", now: { presence: "deleted" }, text: "the cluster has it no longer" },
    {
      name: "Gatehouse is not up to date, whatever else it knows",
      now: { source: { ...idle.source, fresh: false, reason: "Silent for 2 min." }, phase: "Paused" },
      text: "Gatehouse is not up to date: Silent for 2 min.",
    },
    {
      name: "there are several reasons",
      now: { phase: "Paused", findings: { open: 1, worst: "critical" } },
      text: "a release is under way: paused: v1; it has a critical finding",
    },
  ])("is closed if $name", ({ now, text }) => {
    expect(judgeGate({ ...idle, ...now })).toEqual({ outcome: "waiting", text: `closed: ${text}` });
  });
});

describe("the gate of a failed Canary", () => {
  const failures = stateCases
    .filter(({ status }) => (status as { phase?: string } | undefined)?.phase === "Failed")
    .map((asked) => ({ ...asked, assessment: assess(asked) }));
  const isOver = ({ state, severity }: (typeof failures)[number]["assessment"]) =>
    state.startsWith("failed-") && severity !== "critical";

  it("has cases of each kind", () => {
    const states = failures.map(({ assessment }) => assessment.state);
    expect(states).toEqual(
      expect.arrayContaining(["promotion-failed-outage", "promotion-failed-canary-serving", "failed-rolled-back"]),
    );
  });

  it.each(failures)("$name: $assessment.state, $assessment.severity", ({ assessment }) => {
    const status = { phase: "Failed", lastAppliedSpec: "new", lastPromotedSpec: "old" };
    const canary = canaryOf({ spec: { targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "x" } }, status });
    const now = "2026-11-24T12:00:00.000Z";
    const attention = computeCanaryAttention({ canary, assessment, previous: undefined, now }) ?? null;
    const { phase, providerPhase, revisionKey } = summarizeCanary({
      ...{ canary, assessment },
      ...{ primary: undefined, target: undefined },
    });
    const seen = { ...idle, attention, phase, providerPhase, revisionKey, stableRevisionKey: "old" };
    expect(judgeGate(seen).outcome).toBe(isOver(assessment) ? "open" : "waiting");
  });
});
