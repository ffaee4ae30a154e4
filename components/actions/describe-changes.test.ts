import { describe, expect, it } from "vitest";
import { describeChanges } from "#components/actions/describe-changes.ts";
import { describeMove, findActSince, listChanges } from "#components/actions/live-changes.ts";
import { listOffers } from "#components/actions/live-notice.tsx";
import type { AllowedAction, ReleaseAct, RolloutDetail } from "#lib/contract/rollout.ts";

const replicaSet = (podHash: string, revision: number, image: string) => ({ podHash, revision, images: [image] });
const detail = {
  uid: "u",
  revisionKey: "new",
  stableRevisionKey: "old",
  presence: "live",
  phase: "Paused",
  aborted: false,
  paused: false,
  promoteFull: false,
  step: 3,
  stepCount: 6,
  abortPoint: null,
  attention: { reason: "pause", since: "", severity: "info" },
  steps: ["setWeight: 25", "pause", "analysis", "pause", "setWeight: 70", "pause"].map((text) => ({ text })),
  pauseConditions: [{ reason: "CanaryPauseStep", startTime: null }],
  currentRuns: [{ role: "step", name: "a-1", uid: null, phase: "Inconclusive", message: "" }],
  currentExperiment: null,
  replicaSets: [replicaSet("new", 3, "shop/app:v2.31.0"), replicaSet("old", 2, "shop/app:v2.30.4")],
} as unknown as RolloutDetail;
const names = { versionOf: (hash: string) => (hash === "new" ? "v2.31.0" : "v2.30.4"), stepCount: 6 };

describe("the table of seen and now", () => {
  const rowsOf = (change: Partial<RolloutDetail>) =>
    describeChanges(listChanges(detail, { ...detail, ...change }), names).map(
      ({ what, seen, now }) => `${what}: ${seen} | ${now}`,
    );

  it.each<{ name: string; change: Partial<RolloutDetail>; rows: string[] }>([
    { name: "nothing", change: {}, rows: [] },
    { name: "steps are counted from 1", change: { step: 4 }, rows: ["Step: 4 of 6 | 5 of 6"] },
    { name: "the last step passed", change: { step: 6 }, rows: ["Step: 4 of 6 | all 6 done"] },
    {
      name: "an abort is said once, not as a step back to the first",
      change: { aborted: true, step: 0, pauseConditions: [] },
      rows: ["Aborted: no | yes"],
    },
    {
      name: "versions, no hashes",
      change: { revisionKey: "old", stableRevisionKey: "new" },
      rows: ["New version: v2.31.0 | v2.30.4", "Stable version: v2.30.4 | v2.31.0"],
    },
    {
      name: "what holds it, in words",
      change: { pauseConditions: [{ reason: "InconclusiveAnalysisRun", startTime: null }] },
      rows: ["Held by: At a pause step | Analysis ended Inconclusive"],
    },
    {
      name: "another run in the same phase is named",
      change: { currentRuns: [{ role: "step", name: "a-2", uid: null, phase: "Inconclusive", message: "" }] },
      rows: ["Analysis of the step: Inconclusive | Inconclusive (a-2)"],
    },
    { name: "the run is gone", change: { currentRuns: [] }, rows: ["Analysis of the step: Inconclusive | none"] },
  ])("$name", ({ change, rows }) => {
    expect(rowsOf(change)).toEqual(rows);
  });

  it("compares no more than a row of a list knows", () => {
    expect(listChanges({ uid: "u", revisionKey: "new", step: 2 }, detail)).toEqual([
      { field: "status.currentStepIndex", seen: 2, now: 3 },
    ]);
  });

  it("reads the changes of a refused click in the same way", () => {
    const changes = [
      { field: "status.abort", seen: false, now: true },
      { field: "status.controllerPause", seen: true, now: false },
      { field: "spec.template", seen: "1f", now: "2e" },
      { field: "status.currentPodHash", seen: null, now: "new" },
    ];
    expect(describeChanges(changes, names).map(({ what, seen, now }) => [what, seen, now])).toEqual([
      ["Aborted", "no", "yes"],
      ["Pod template", "as you saw it", "changed"],
      ["New version", "unknown", "v2.31.0"],
    ]);
  });
});

describe("describeMove", () => {
  it.each<{ name: string; change: Partial<RolloutDetail>; words: string }>([
    { name: "a step", change: { step: 4 }, words: "The controller moved to step 5 of 6 (70 %)." },
    { name: "the last step", change: { step: 6 }, words: "The controller completed the last step." },
    { name: "an abort", change: { aborted: true, step: 0 }, words: "The rollout was aborted." },
    { name: "another version", change: { revisionKey: "old" }, words: "Another version is being rolled out: v2.30.4." },
    {
      name: "promoted",
      change: { stableRevisionKey: "new", phase: "Healthy", step: 6 },
      words: "v2.31.0 is fully promoted.",
    },
    {
      name: "Inconclusive",
      change: { attention: { reason: "inconclusive", since: "", severity: "warning" } },
      words: "An analysis ended Inconclusive.",
    },
    { name: "deleted", change: { presence: "deleted" }, words: "The cluster no longer shows this rollout." },
    { name: "created again", change: { uid: "x" }, words: "The rollout was deleted and created again." },
    { name: "degraded", change: { phase: "Degraded" }, words: "The rollout is degraded." },
    { name: "something else", change: { paused: true }, words: "The controller changed its state." },
  ])("$name", ({ change, words }) => {
    expect(describeMove(detail, { ...detail, ...change })).toBe(words);
  });
});

describe("findActSince", () => {
  const act = (seq: number, second: number) => ({ seq, time: `2026-11-20T10:00:${second}Z` }) as ReleaseAct;
  const seenAt = "2026-11-20T10:00:20Z";
  const acts = (...latest: ReleaseAct[]) => [{ acts: { total: latest.length, latest } }];
  it.each([
    { name: "nobody acted", releases: acts(), baseline: 0, seq: undefined },
    { name: "only before", releases: acts(act(5, 19)), baseline: 5, seq: undefined },
    {
      name: "the entry of the act that made the view",
      releases: acts(act(5, 20)),
      baseline: undefined,
      seq: undefined,
    },
    { name: "since", releases: acts(act(9, 41), act(8, 40), act(5, 19)), baseline: 5, seq: 9 },
    { name: "before the dialog knew what there was", releases: acts(act(8, 40)), baseline: 8, seq: 8 },
    { name: "of the release before", releases: [...acts(), ...acts(act(8, 40))], baseline: 5, seq: 8 },
  ])("$name", ({ releases, baseline, seq }) => {
    expect(findActSince({ releases, seenAt, baseline })?.seq).toBe(seq);
  });
});

describe("listOffers", () => {
  const action = (name: AllowedAction["action"], allowed = true, effect: string | undefined = "x") =>
    ({ action: name, allowed, effect }) as AllowedAction;
  it.each([
    { name: "the same again", actions: [action("continue"), action("abort")], offers: ["continue"] },
    {
      name: "what answers the present state",
      actions: [action("continue", false), action("retry"), action("abort", false)],
      offers: ["retry"],
    },
    { name: "abort if nothing answers", actions: [action("skip-step"), action("abort")], offers: ["abort"] },
    { name: "nothing", actions: [], offers: [] },
  ])("$name", ({ actions, offers }) => {
    expect(listOffers(actions, "continue").map(({ action }) => action)).toEqual(offers);
  });
});
