import { describe, expect, it } from "vitest";
import { runTransitions } from "#test/fixtures/conformance/flagger-cases.json" with { type: "json" };
import { readRealFlagger, realFlaggerVersions } from "#test/real-flagger.ts";
import { type CanaryObservation, type CanaryRun, deriveRuns, findSwallowedRevision } from "./run-transitions.ts";

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

type CaseObservation = {
  t: number;
  phase?: string;
  lastAppliedSpec?: string;
  canaryWeight?: number;
  failedChecks?: number;
  lastPromotedSpec?: string;
  trackedConfigs?: Record<string, string>;
  gap?: string;
  deleted?: boolean;
  listEmpty?: boolean;
};

function toObservation({ t, gap, deleted, listEmpty, ...status }: CaseObservation): CanaryObservation {
  if (gap !== undefined) return { kind: "gap", at: at(t) };
  if (deleted === true) return { kind: "deleted", at: at(t) };
  if (listEmpty === true) return { kind: "empty-list", at: at(t) };
  const { phase = "", lastAppliedSpec = "", canaryWeight = 0, failedChecks = 0, ...rest } = status;
  return { kind: "status", at: at(t), phase, lastAppliedSpec, canaryWeight, failedChecks, ...rest };
}

/** A run in the words of the cases. */
function toCaseRun(run: CanaryRun): Record<string, unknown> {
  const seconds = (time: string | undefined) => (time === undefined ? null : Date.parse(time) / 1000);
  return {
    revision: run.revision,
    from: seconds(run.from),
    to: seconds(run.to),
    result: run.result.replaceAll("-", "_"),
    severity: run.severity,
    peakWeight: run.peakWeight,
    peakFailedChecks: run.peakFailedChecks,
    waitedForStart: run.waitedForStartSeconds,
    incomplete: run.isIncomplete,
  };
}

const idle = { phase: "Succeeded", lastAppliedSpec: "A", lastPromotedSpec: "A" };
const going = { phase: "Progressing", lastAppliedSpec: "B", lastPromotedSpec: "A" };
const gap = { gap: "watch lost" };

/** What the conformance cases leave out. */
const cases: { name: string; observations: Omit<CaseObservation, "t">[]; runs: Partial<CanaryRun>[] }[] = [
  {
    name: "keeps the peak of the failed checks, which Failed sets to 0",
    observations: [idle, going, { ...going, failedChecks: 2 }, { ...going, phase: "Failed" }],
    runs: [
      { revision: "B", result: "failed-rolled-back", peakFailedChecks: 2, severity: undefined, isStartSeen: true },
    ],
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
    runs: [{ result: "succeeded", peakWeight: 60, from: at(1), to: at(4), waitedForStartSeconds: undefined }],
  },
  {
    name: "begins again when only a tracked config changes",
    observations: [
      idle,
      { ...going, trackedConfigs: { "configmap/a": "1" } },
      { ...going, trackedConfigs: { "configmap/a": "2" } },
    ],
    runs: [
      { revision: "B", result: "superseded" },
      { revision: "B", result: "running", isStartSeen: true },
    ],
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
    name: "has no revision while it waits for its start",
    observations: [idle, { ...idle, phase: "Waiting" }],
    runs: [{ revision: undefined, runKey: undefined, result: "running" }],
  },
  {
    name: "does not count the weight that a failed promotion left",
    observations: [
      { ...going, phase: "Failed", canaryWeight: 100 },
      { ...going, phase: "Waiting", canaryWeight: 100 },
      { ...going, lastAppliedSpec: "C" },
    ],
    runs: [{ revision: "C", peakWeight: 0, waitedForStartSeconds: 1 }],
  },
  {
    name: "fails the run whose rollback noted a newer revision",
    observations: [idle, going, { ...going, phase: "Failed", lastAppliedSpec: "C" }],
    runs: [{ revision: "B", result: "failed-rolled-back" }],
  },
  {
    name: "keeps a run through a phase that it does not know",
    observations: [idle, going, { ...going, phase: "WaitingTrafficIncrease" }, { ...going, canaryWeight: 20 }],
    runs: [{ revision: "B", result: "running", from: at(1), peakWeight: 20 }],
  },
  {
    name: "ends a run as the Canary is terminated",
    observations: [idle, going, { ...going, phase: "Terminating" }, { deleted: true }],
    runs: [{ result: "canary-deleted", to: at(2) }],
  },
  {
    name: "does not know how a run ended whose status was wiped",
    observations: [idle, going, { phase: "Initializing" }],
    runs: [{ result: "unknown" }],
  },
  {
    name: "does not know how a run ended that another replaced during a gap",
    observations: [idle, going, gap, { ...going, lastAppliedSpec: "C" }],
    runs: [
      { revision: "B", result: "unknown", isIncomplete: true },
      { revision: "C", result: "running", isStartSeen: false, isIncomplete: true },
    ],
  },
  {
    name: "knows a run that was promoted during a gap",
    observations: [idle, going, gap, { ...going, lastAppliedSpec: "C", lastPromotedSpec: "B" }],
    runs: [
      { revision: "B", result: "succeeded", isIncomplete: true },
      { revision: "C", result: "running" },
    ],
  },
  {
    name: "tells the failed promotion after a gap by its weight",
    observations: [idle, going, gap, { ...going, phase: "Failed", canaryWeight: 100 }],
    runs: [{ result: "promotion-failed-canary-serving", isIncomplete: true, peakWeight: 0 }],
  },
  {
    name: "does not blame a run for the failure of another after a gap",
    observations: [idle, going, gap, { ...going, phase: "Failed", lastAppliedSpec: "C" }],
    runs: [{ revision: "B", result: "unknown" }],
  },
  {
    name: "adds a promotion that nobody watched",
    observations: [idle, gap, { ...idle, lastAppliedSpec: "B", lastPromotedSpec: "B" }],
    runs: [{ revision: "B", result: "succeeded", isIncomplete: true, isStartSeen: false, from: at(2), to: at(2) }],
  },
  {
    name: "adds a failure that nobody watched, whose revision is unknown",
    observations: [idle, gap, { ...going, phase: "Failed" }],
    runs: [{ revision: undefined, result: "failed-rolled-back", isIncomplete: true }],
  },
  {
    name: "finds no run in the first initialisation",
    observations: [{ phase: "" }, { phase: "Initializing" }, { ...idle, phase: "Initialized" }],
    runs: [],
  },
];

/** The recording of 1.44.0 lost its watch twice: runs of that time are incomplete. */
const realRuns = {
  "1.43.0": [
    { canary: "f-primdl", runs: [] },
    { canary: "f-primrec", runs: [] },
    { canary: "f-primdl", runs: ["598754788b promotion-failed-rolled-back after 91 s, weight 60, checks 0"] },
    { canary: "f-primrec", runs: ["7756fcd98 promotion-failed-rolled-back after 80 s, weight 60, checks 0"] },
  ],
  "1.44.0": [
    { canary: "f-ok", runs: ["798f6f4f65 succeeded after 70 s, weight 60, checks 0"] },
    { canary: "f-fail", runs: ["7dbcfcc999 failed-rolled-back after 51 s, weight 20, checks 3"] },
    { canary: "f-wait", runs: ["5589bf7fd8 succeeded after 130 s, weight 60, checks 0, waited 34 s"] },
    { canary: "f-bg", runs: ["6b9f99457d succeeded after 69 s, weight 0, checks 0"] },
    {
      canary: "f-primfail",
      runs: ["97889b9ff promotion-failed-canary-serving after 643 s, weight 60, checks 0, incomplete"],
    },
    {
      canary: "f-primfailbg",
      runs: ["55844f44c8 promotion-failed-canary-serving after 655 s, weight 0, checks 0, incomplete"],
    },
    { canary: "f-primdl", runs: ["bf6f5c455 failed-rolled-back after 118 s, weight 0, checks 0, incomplete"] },
    {
      canary: "f-primdlbg",
      runs: ["76bd7d75bb promotion-failed-canary-serving after 220 s, weight 0, checks 0, incomplete"],
    },
    {
      canary: "f-primrec",
      runs: ["6794dcdd7 promotion-failed-canary-serving after 210 s, weight 60, checks 0, incomplete"],
    },
  ],
};

describe("deriveRuns", () => {
  it.each(runTransitions)("$id $note", ({ observations, expect: wanted }) => {
    const { runs, history } = deriveRuns(observations.map(toObservation));
    expect(runs.map(toCaseRun)).toMatchObject(wanted.runs);
    expect(runs).toHaveLength(wanted.runs.length);
    if ("watchUpdatesIgnored" in wanted) expect(history.ignored).toBe(wanted.watchUpdatesIgnored);
    const swallowed = findSwallowedRevision(history, { now: at(observations.at(-1)?.t ?? 0), intervalSeconds: 1 });
    expect(swallowed).toBe(wanted.flag === "revision_not_picked_up" ? wanted.revision : undefined);
  });

  it.each(cases)("$name", ({ observations, runs }) => {
    const derived = deriveRuns(observations.map((status, t) => toObservation({ t, ...status }))).runs;
    expect(derived).toMatchObject(runs);
    expect(derived).toHaveLength(runs.length);
  });
});

describe("outageSince", () => {
  const failed = { phase: "Failed", lastAppliedSpec: "B", failedChecks: 0, lastPromotedSpec: "A" };
  it.each([
    { name: "the canary serves", weights: [100, 100], since: undefined },
    { name: "the canary is dropped", weights: [100, 0], since: at(1) },
    { name: "a later write of the same", weights: [100, 0, 0], since: at(1) },
    { name: "an ordinary failure", weights: [0, 0], since: undefined },
  ])("$name", ({ weights, since }) => {
    const statuses = weights.map((canaryWeight, t) =>
      toObservation({ ...failed, t, canaryWeight, lastAppliedSpec: `B${t}` }),
    );
    expect(deriveRuns(statuses).history.outageSince).toBe(since);
    const next = toObservation({ ...failed, t: 9, phase: "Progressing" });
    expect(deriveRuns([...statuses, next]).history.outageSince).toBeUndefined();
  });
});

describe("findSwallowedRevision", () => {
  const failed = { phase: "Failed", canaryWeight: 0, failedChecks: 0 };
  const find = (observations: Omit<CaseObservation, "t">[], now: number) => {
    const { history } = deriveRuns(observations.map((status, t) => toObservation({ t, ...status })));
    return findSwallowedRevision(history, { now: at(now), intervalSeconds: 10 });
  };

  it.each([
    { name: "not before two intervals", specs: ["B", "C"], now: 20, found: undefined },
    { name: "after two intervals", specs: ["B", "C"], now: 21, found: "C" },
    { name: "the newest one", specs: ["B", "C", "D"], now: 30, found: "D" },
    { name: "reverted to the promoted one", specs: ["B", "C", "A"], now: 60, found: undefined },
    { name: "no change", specs: ["B", "B"], now: 60, found: undefined },
  ])("$name", ({ specs, now, found }) => {
    const observations = specs.map((lastAppliedSpec) => ({ ...failed, lastAppliedSpec, lastPromotedSpec: "A" }));
    expect(find(observations, now)).toBe(found);
  });

  it("is none once it started", () => {
    const statuses = [
      { ...failed, lastAppliedSpec: "B" },
      { ...failed, lastAppliedSpec: "C" },
      { ...failed, lastAppliedSpec: "C", phase: "Progressing" },
    ];
    expect(find(statuses, 60)).toBeUndefined();
  });

  it("is one that the rollback of another noted", () => {
    const statuses = [
      { ...failed, lastAppliedSpec: "B", phase: "Promoting" },
      { ...failed, lastAppliedSpec: "C" },
    ];
    expect(find(statuses, 60)).toBe("C");
  });
});

describe("deriveRuns on recordings of the real controller", () => {
  it.each(realFlaggerVersions)("finds each run of Flagger %s", (version) => {
    const lines = Map.groupBy(
      readRealFlagger<RealCanary>(version, "canaries"),
      ({ object }) => `${object.metadata.name} ${object.metadata.uid}`,
    );
    const found = [...lines].map(([key, states]) => {
      const { runs } = deriveRuns(states.flatMap(toObservations));
      return { canary: key.split(" ")[0], runs: runs.map(describeRun) };
    });
    expect(found).toEqual(realRuns[version]);
  });

  it.each(realFlaggerVersions)("ignores what Flagger %s only writes again", (version) => {
    const statuses = readRealFlagger<RealCanary>(version, "canaries");
    const byUid = Map.groupBy(statuses, ({ object }) => object.metadata.uid);
    const ignored = [...byUid.values()].map((states) => deriveRuns(states.flatMap(toObservations)).history.ignored);
    expect(Math.max(...ignored)).toBeGreaterThan(50);
  });

  it("finds the revisions that Flagger 1.43.0 noted and never analysed, since the primary was not ready", () => {
    const lines = readRealFlagger<RealCanary>("1.43.0", "canaries");
    const swallowed = [...Map.groupBy(lines, ({ object }) => object.metadata.uid).values()].map((states) =>
      findSwallowedRevision(deriveRuns(states.flatMap(toObservations)).history, {
        now: lines.at(-1)?.at ?? "",
        intervalSeconds: 10,
      }),
    );
    expect(swallowed).toEqual([undefined, undefined, "bf6f5c455", "6794dcdd7"]);
  });
});

type RealCanary = {
  metadata: { name: string; uid: string };
  status?: Omit<CaseObservation, "t">;
};

function toObservations({
  at,
  type,
  object,
}: ReturnType<typeof readRealFlagger<RealCanary>>[number]): CanaryObservation[] {
  if (type === "DELETED") return [{ kind: "deleted", at }];
  const status = { ...toObservation({ t: 0, ...object.status }), at };
  return type === "LISTED" ? [{ kind: "gap", at }, status] : [status];
}

function describeRun({ result, peakWeight, peakFailedChecks, isIncomplete, isStartSeen, ...run }: CanaryRun) {
  const seconds = run.to === undefined ? undefined : Math.round((Date.parse(run.to) - Date.parse(run.from)) / 1000);
  const waited = run.waitedForStartSeconds === undefined ? "" : `, waited ${Math.round(run.waitedForStartSeconds)} s`;
  const flaws = `${isIncomplete ? ", incomplete" : ""}${isStartSeen ? "" : ", start not seen"}`;
  return `${run.revision} ${result} after ${seconds} s, weight ${peakWeight}, checks ${peakFailedChecks}${waited}${flaws}`;
}
