import { describe, expect, it } from "vitest";
import { type ObservationChanges, observe } from "#lib/domain/argo/history/testing/sample-observations.ts";
import { formatSkippedGates, newlySkippedGates } from "#lib/domain/delivery/observation.ts";
import { observationsOf, rolloutsOf } from "#test/real-observations.ts";
import { type RealStream, realStreams } from "#test/real-streams.ts";
import { toDeliveryState } from "./delivery-state.ts";
import { findSkippedGates, rememberGates } from "./find-skipped-gates.ts";

const pause = (...reasons: [reason: string, startTime?: string][]): ObservationChanges => ({
  controllerPause: reasons.length > 0,
  pauseConditions: reasons.map(([reason, startTime = "10:00:00Z"]) => ({ reason, startTime })),
});
const inconclusive = pause(["InconclusiveAnalysisRun"]);
const none = pause();
const second = { template: "t2", currentPodHash: "bbb", view: { pauseSteps: [2, 4] } };
const step = (currentStepIndex: number) => ({ currentStepIndex });

type Case = { name: string; changes: ObservationChanges[]; known?: number[]; expected: string[] };
const cases: Case[] = [
  {
    name: "the index passes a pause that the Inconclusive run alone holds",
    changes: [{ ...second, ...step(1), ...inconclusive }, step(2), step(3)],
    expected: ["Gate at step 3 skipped by the controller: background analysis Inconclusive"],
  },
  {
    name: "nobody watched while it passed",
    changes: [{ ...second, ...step(1), ...inconclusive }, step(3)],
    expected: ["Gate at step 3 skipped by the controller: background analysis Inconclusive"],
  },
  {
    name: "nobody watched while it passed two",
    changes: [{ ...second, ...step(1), ...inconclusive }, step(5)],
    expected: ["Gates at steps 3 and 5 skipped by the controller: background analysis Inconclusive"],
  },
  {
    name: "one after the other",
    changes: [{ ...second, ...step(1), ...inconclusive }, step(2), step(3), step(4), step(5)],
    expected: [
      "Gate at step 3 skipped by the controller: background analysis Inconclusive",
      "Gate at step 5 skipped by the controller: background analysis Inconclusive",
    ],
  },
  {
    name: "a timed pause was held, and is over",
    changes: [
      { ...second, ...step(2), ...pause(["CanaryPauseStep"]) },
      pause(["CanaryPauseStep"], ["InconclusiveAnalysisRun"]),
      { ...step(3), ...inconclusive },
    ],
    expected: [],
  },
  {
    name: "a person cleared the step's pause alone",
    changes: [
      { ...second, ...step(2), ...pause(["CanaryPauseStep"], ["InconclusiveAnalysisRun"]) },
      inconclusive,
      step(3),
    ],
    expected: [],
  },
  {
    name: "a person waived, and the next run is Inconclusive again",
    changes: [
      { ...second, ...step(1), ...inconclusive },
      { ...none, ...step(2) },
      { ...step(3), ...pause(["InconclusiveAnalysisRun", "10:05:00Z"]) },
    ],
    expected: [],
  },
  {
    name: "cleared while nobody watched: another condition of the same reason",
    changes: [
      { ...second, ...step(1), ...inconclusive },
      { ...step(3), ...pause(["InconclusiveAnalysisRun", "10:05:00Z"]) },
    ],
    expected: [],
  },
  {
    name: "a person skipped the steps",
    changes: [
      { ...second, ...step(1), ...inconclusive },
      { ...step(3), writer: "kubectl-argo-rollouts" },
    ],
    expected: [],
  },
  {
    name: "a person passed it through Gatehouse, and was told before",
    changes: [{ ...second, ...step(1), ...inconclusive }, step(2), step(3)],
    known: [2],
    expected: [],
  },
  {
    name: "a step that is no pause",
    changes: [{ ...second, ...step(0), ...inconclusive }, step(1), step(2)],
    expected: [],
  },
  {
    name: "no Inconclusive run: the controller passes a pause that was continued",
    changes: [{ ...second, ...step(2), ...pause(["CanaryPauseStep"]) }, { ...none, controllerPause: true }, step(3)],
    expected: [],
  },
  {
    name: "promoted in full",
    changes: [
      { ...second, ...step(1), ...inconclusive },
      { ...step(5), promoteFull: true },
    ],
    expected: [],
  },
  {
    name: "aborted",
    changes: [
      { ...second, ...step(1), ...inconclusive },
      { ...step(3), abort: true },
    ],
    expected: [],
  },
  {
    name: "another version",
    changes: [
      { ...second, ...step(1), ...inconclusive },
      { ...step(3), template: "t3", currentPodHash: "ccc" },
    ],
    expected: [],
  },
  {
    name: "observations from before it was recorded which steps are pauses",
    changes: [{ template: "t2", currentPodHash: "bbb", ...step(1), ...inconclusive }, step(2), step(3)],
    expected: [],
  },
];

/** Stores each observation with the memory of the one before, like the recorder. */
function remembered(observations: ReturnType<typeof observe>, known: readonly number[] = []) {
  const stored: ReturnType<typeof observe> = [];
  const said: string[] = [];
  for (const observation of observations) {
    const previous = stored.at(-1)?.projection;
    const { projection: next, writer, observedAt: at } = observation;
    const gates = rememberGates({ previous, next, writer, at, known });
    const projection = { ...next, view: { ...next.view, ...gates } };
    stored.push({ ...observation, projection });
    const found =
      previous === undefined ? [] : newlySkippedGates(toDeliveryState(previous), toDeliveryState(projection));
    if (found.length > 0) said.push(formatSkippedGates(found));
  }
  return { stored, said };
}

describe("skipped gates", () => {
  it.each(cases)("$name", ({ changes, known, expected }) => {
    expect(remembered(observe(...changes), known).said).toEqual(expected);
  });

  it("are remembered until the release ends, and no longer", () => {
    const { stored } = remembered(
      observe(
        { ...second, ...step(1), ...inconclusive },
        step(3),
        { ...none, ...step(4) },
        { stableRS: "bbb", ...step(5) },
        { template: "t3", currentPodHash: "ccc", ...step(0) },
      ),
    );
    expect(stored.map(({ projection }) => projection.view.skippedGates?.map((gate) => gate.step))).toEqual([
      [],
      [2],
      [2],
      [],
      [],
    ]);
  });

  it("say since when, and stay the same for the same state seen again", () => {
    const { stored } = remembered(observe({ ...second, ...step(1), ...inconclusive }, step(3), {}));
    const [, skipped, again] = stored;
    expect(skipped?.projection.view.skippedGates).toEqual([{ step: 2, at: skipped?.observedAt }]);
    expect(again?.projection).toEqual(skipped?.projection);
  });
});

describe("skipped gates of the real controllers", () => {
  const skipping: Partial<Record<RealStream, Record<string, string[]>>> = {
    "background-inconclusive/bg2-gate0": { "bg2-gate0": ["Gate at step 3"] },
    "background-inconclusive/bg2-inline": { "bg2-inline": ["Gate at step 4"] },
    "background-inconclusive/bg4": { bg4: ["Gate at step 3"] },
    "background-inconclusive/v193": { "v193-both": ["Gate at step 3"], "v193-gate0": ["Gate at step 3"] },
  };

  it.each(realStreams)("are found in %s where there are some, and nowhere else", (stream) => {
    const found = rolloutsOf(stream).flatMap((name) => {
      const { said } = remembered(observationsOf(stream, name));
      return said.length === 0 ? [] : [[name, said.map((text) => text.replace(/ skipped by.*/, ""))]];
    });
    expect(Object.fromEntries(found)).toEqual(skipping[stream] ?? {});
  });

  it("are found too where the recorder was away while the pause was passed", () => {
    const [name] = rolloutsOf("background-inconclusive/bg2-gate0");
    const observations = observationsOf("background-inconclusive/bg2-gate0", name ?? "");
    const [before, , after] = observations.slice(-3);
    if (before === undefined || after === undefined) throw new Error("the recording is shorter");
    expect(findSkippedGates({ previous: before.projection, next: after.projection, writer: after.writer })).toEqual([
      2,
    ]);
  });
});
