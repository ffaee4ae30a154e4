import { describe, expect, it } from "vitest";
import { foldRelease, noReleases, type Release } from "#lib/domain/delivery/derive-releases.ts";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { flaggerProvider } from "#lib/domain/flagger/provider.ts";
import { runTransitions } from "#test/fixtures/conformance/flagger-cases.json" with { type: "json" };
import { readRealFlagger, realFlaggerVersions } from "#test/real-flagger.ts";
import type { CanaryProjection } from "./canary-projection.ts";

type SeenObject = {
  /** ISO 8601. */
  at: string;
  object: unknown;
  isDeleted?: boolean;
};

/** A release with the fields that only a Canary's run has. */
type Run = {
  revision: string;
  from: string;
  to: string | null;
  result: string;
  peakWeight: number;
  peakFailedChecks: number;
  startSeenAt: string;
  waitedSince: string | null;
};

/** Derives the releases of one Canary as the recorder would, from its seen versions in order. */
function deriveRuns(seenObjects: readonly SeenObject[]): { runs: Run[]; newest: CanaryProjection | undefined } {
  const runs = new Map<string, Run>();
  let history = noReleases;
  let newest: CanaryProjection | undefined;
  for (const { at, object, isDeleted = false } of seenObjects) {
    const parsed = flaggerProvider.parse(object);
    if (!parsed.ok) throw new Error(parsed.reason);
    const related = { ...nothingRelated, memory: newest };
    const summary = parsed.value.summarize(related);
    const observing = {
      summary,
      toStorable: String,
      related,
      writer: null,
      observedAt: at,
      isDeleted,
      knownPasses: [],
    };
    const projection = parsed.value.observe(observing) as CanaryProjection;
    if (JSON.stringify(projection) === JSON.stringify(newest)) continue;
    newest = projection;
    const stored = { observedAt: at, resourceVersion: "", writer: null, projection };
    const folded = foldRelease(history, flaggerProvider.readObservation(stored));
    history = folded.history;
    for (const release of folded.changed) {
      const key = `${release.runKey}#${release.attempt}`;
      runs.set(key, describeRun(release, projection, { at, before: runs.get(key) }));
    }
  }
  return { runs: [...runs.values()].filter(({ result }) => result !== "first"), newest };
}

function describeRun(
  release: Release,
  { memory, shown }: CanaryProjection,
  { at, before }: { at: string; before: Run | undefined },
): Run {
  const isOwn = memory.runKey === release.runKey;
  return {
    revision: release.runKey,
    from: release.startedAt,
    startSeenAt: before?.startSeenAt ?? at,
    to: release.endedAt,
    result: resultOf(release, shown.failure),
    peakWeight: isOwn ? memory.peakWeight : (before?.peakWeight ?? 0),
    peakFailedChecks: isOwn ? memory.peakFailedChecks : (before?.peakFailedChecks ?? 0),
    waitedSince: isOwn ? memory.waitedSince : null,
  };
}

function resultOf({ state, message }: Release, failure: string | null): string {
  if (message === "already running when first seen" || message === "first deployment") return "first";
  if (state === "aborted") return failure ?? "aborted";
  if (state === "unknown") return message === "the rollout was deleted" ? "canary-deleted" : "unknown";
  if (state === "superseded") return message === "superseded by another version" ? "superseded" : "unknown";
  return state === "promoted" ? "succeeded" : "running";
}

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

type CaseObservation = {
  t: number;
  phase?: string;
  gap?: string;
  deleted?: boolean;
  listEmpty?: boolean;
} & Record<string, unknown>;

/** Gaps and empty lists are the recorder's matter: the provider never sees them. */
function toSeenObjects(observations: readonly CaseObservation[]): SeenObject[] {
  const seenObjects: SeenObject[] = [];
  for (const { t, gap, deleted, listEmpty, ...status } of observations) {
    const before = seenObjects.at(-1)?.object;
    if (deleted === true) seenObjects.push({ at: at(t), object: before, isDeleted: true });
    else if (gap === undefined && listEmpty !== true) seenObjects.push({ at: at(t), object: canaryOf(status) });
  }
  return seenObjects;
}

function canaryOf(status: Record<string, unknown>): unknown {
  return {
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    metadata: { name: "podinfo", namespace: "test", uid: "u1", resourceVersion: "1" },
    spec: {
      provider: "istio",
      targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "podinfo" },
      analysis: { interval: "10s", threshold: 5, maxWeight: 50, stepWeight: 10 },
    },
    status: { canaryWeight: 0, failedChecks: 0, ...status },
  };
}

/** The words of the cases. */
function toCaseRun({ result, from, to, startSeenAt, waitedSince, ...run }: Run): Record<string, unknown> {
  const seconds = (time: string | null) => (time === null ? null : Date.parse(time) / 1000);
  const words = result === "promotion-failed-outage" ? "promotion-failed-rolled-back" : result;
  return {
    ...run,
    from: seconds(from),
    to: seconds(to),
    waitedForStart: waitedSince === null ? undefined : secondsBetween(waitedSince, startSeenAt),
    result: words.replaceAll("-", "_"),
    severity: words === "promotion-failed-rolled-back" ? "critical" : undefined,
  };
}

function secondsBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 1000);
}

const idle = { phase: "Succeeded", lastAppliedSpec: "A", lastPromotedSpec: "A" };
const going = { phase: "Progressing", lastAppliedSpec: "B", lastPromotedSpec: "A" };
const failed = { ...going, phase: "Failed" };

/** What the conformance cases leave out. */
const cases: { name: string; observations: Omit<CaseObservation, "t">[]; runs: Partial<Run>[] }[] = [
  {
    name: "keeps the peak of the failed checks, which Failed sets to 0",
    observations: [idle, going, { ...going, failedChecks: 2 }, failed],
    runs: [{ revision: "B", result: "failed-rolled-back", peakFailedChecks: 2 }],
  },
  {
    name: "takes the wait for a promotion as part of the run",
    observations: [
      idle,
      { ...going, canaryWeight: 60 },
      { ...going, phase: "WaitingPromotion" },
      { ...going, phase: "Promoting" },
      { ...idle, lastAppliedSpec: "B", lastPromotedSpec: "B" },
    ],
    runs: [{ result: "succeeded", peakWeight: 60, from: at(1), to: at(4), waitedSince: null }],
  },
  {
    name: "begins again when only a tracked config changes",
    observations: [
      idle,
      { ...going, trackedConfigs: { "configmap/a": "1" } },
      { ...going, trackedConfigs: { "configmap/a": "2" } },
    ],
    runs: [{ result: "superseded" }, { result: "running" }],
  },
  {
    name: "begins again during the wait for a promotion",
    observations: [idle, going, { ...going, phase: "WaitingPromotion" }, { ...going, lastAppliedSpec: "C" }],
    runs: [{ result: "superseded" }, { revision: "C", result: "running" }],
  },
  {
    name: "takes a status without configs as unchanged",
    observations: [idle, { ...going, trackedConfigs: { "configmap/a": "1" } }, { ...going, canaryWeight: 10 }],
    runs: [{ result: "running", peakWeight: 10 }],
  },
  {
    name: "has no run while it waits for its start",
    observations: [idle, { ...idle, phase: "Waiting" }],
    runs: [],
  },
  {
    name: "does not count the weight that a failed promotion left",
    observations: [
      going,
      { ...failed, canaryWeight: 100 },
      { ...going, phase: "Waiting", canaryWeight: 100 },
      { ...going, lastAppliedSpec: "C" },
    ],
    runs: [
      { revision: "B", result: "promotion-failed-canary-serving" },
      { revision: "C", peakWeight: 0, from: at(2), startSeenAt: at(3) },
    ],
  },
  {
    name: "fails the run whose rollback noted a newer revision",
    observations: [idle, going, { ...failed, lastAppliedSpec: "C" }],
    runs: [{ revision: "B", result: "failed-rolled-back" }],
  },
  {
    name: "begins another attempt when the same revision is tried again",
    observations: [idle, going, failed, going],
    runs: [
      { revision: "B", result: "failed-rolled-back" },
      { revision: "B", result: "running" },
    ],
  },
  {
    name: "keeps a run through a phase that it does not know",
    observations: [
      idle,
      { ...going, failedChecks: 2 },
      { ...going, phase: "WaitingTrafficIncrease" },
      { ...going, canaryWeight: 20 },
    ],
    runs: [{ revision: "B", result: "running", from: at(1), peakWeight: 20, peakFailedChecks: 2 }],
  },
  {
    name: "knows a run that was promoted while nobody watched",
    observations: [idle, going, { ...idle, lastAppliedSpec: "B", lastPromotedSpec: "B" }],
    runs: [{ revision: "B", result: "succeeded" }],
  },
  {
    name: "adds a promotion that nobody watched",
    observations: [idle, { ...idle, lastAppliedSpec: "B", lastPromotedSpec: "B" }],
    runs: [{ revision: "B", result: "succeeded", from: at(1), to: at(1) }],
  },
  {
    name: "finds no run in the first initialisation",
    observations: [{ phase: "" }, { phase: "Initializing" }, { ...idle, phase: "Initialized" }],
    runs: [],
  },
];

/** Two canaries of 1.44.0 have no router: their status says 100 %, and the primary still serves. */
const realRuns = {
  "1.43.0": [
    { canary: "f-primdl", runs: [] },
    { canary: "f-primrec", runs: [] },
    { canary: "f-primdl", runs: ["598754788b promotion-failed-outage after 91 s, weight 60, checks 0"] },
    { canary: "f-primrec", runs: ["7756fcd98 promotion-failed-outage after 80 s, weight 60, checks 0"] },
  ],
  "1.44.0": [
    { canary: "f-ok", runs: ["798f6f4f65 succeeded after 70 s, weight 60, checks 0"] },
    { canary: "f-fail", runs: ["7dbcfcc999 failed-rolled-back after 51 s, weight 20, checks 3"] },
    { canary: "f-wait", runs: ["5589bf7fd8 succeeded after 130 s, weight 60, checks 0, waited 34 s"] },
    { canary: "f-bg", runs: ["6b9f99457d succeeded after 69 s, weight 0, checks 0"] },
    { canary: "f-primfail", runs: ["97889b9ff promotion-failed-canary-serving after 643 s, weight 60, checks 0"] },
    { canary: "f-primfailbg", runs: ["55844f44c8 promotion-failed-outage after 655 s, weight 0, checks 0"] },
    { canary: "f-primdl", runs: ["bf6f5c455 failed-rolled-back after 118 s, weight 0, checks 0"] },
    { canary: "f-primdlbg", runs: ["76bd7d75bb promotion-failed-outage after 220 s, weight 0, checks 0"] },
    { canary: "f-primrec", runs: ["6794dcdd7 promotion-failed-canary-serving after 210 s, weight 60, checks 0"] },
  ],
};

describe("the releases of a Canary", () => {
  it.each(runTransitions)("$id $note", ({ observations, expect: wanted }) => {
    const { runs, newest } = deriveRuns(toSeenObjects(observations));
    // That something may have been missed is said by the source's history, not by a release.
    const expected = wanted.runs.map(({ incomplete: _, ...run }: Record<string, unknown>) => run);
    expect(runs.map(toCaseRun)).toMatchObject(expected);
    expect(runs).toHaveLength(expected.length);
    const isSwallowed = newest?.memory.changedAt !== null;
    expect(isSwallowed).toBe(wanted.flag === "revision_not_picked_up");
  });

  it.each(cases)("$name", ({ observations, runs }) => {
    const derived = deriveRuns(toSeenObjects(observations.map((status, t) => ({ t, ...status })))).runs;
    expect(derived).toMatchObject(runs);
    expect(derived).toHaveLength(runs.length);
  });
});

describe("the releases in recordings of the real controller", () => {
  it.each(realFlaggerVersions)("are the runs of Flagger %s", (version) => {
    const lines = Map.groupBy(
      readRealFlagger<{ metadata: { name: string; uid: string } }>(version, "canaries"),
      ({ object }) => `${object.metadata.name} ${object.metadata.uid}`,
    );
    const found = [...lines].map(([key, seenObjects]) => {
      const { runs } = deriveRuns(
        seenObjects.map(({ type, ...seenObject }) => ({ ...seenObject, isDeleted: type === "DELETED" })),
      );
      return { canary: key.split(" ")[0], runs: runs.map(formatRun) };
    });
    expect(found).toEqual(realRuns[version]);
  });
});

function formatRun({ revision, from, to, result, peakWeight, peakFailedChecks, ...run }: Run): string {
  const lasted = to === null ? "" : ` after ${secondsBetween(from, to)} s`;
  const waited = run.waitedSince === null ? "" : `, waited ${secondsBetween(run.waitedSince, run.startSeenAt)} s`;
  return `${revision} ${result}${lasted}, weight ${peakWeight}, checks ${peakFailedChecks}${waited}`;
}
