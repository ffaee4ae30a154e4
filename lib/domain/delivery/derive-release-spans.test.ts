import { expect, it } from "vitest";
import type { CourseMoment } from "./derive-course.ts";
import { deriveReleaseSpans, type ReleaseSpan } from "./derive-release-spans.ts";

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();
const minuteOf = (ms: number): number => (ms - Date.parse(at(0))) / 60_000;

const moment = (minute: number, fields: Partial<CourseMoment>): CourseMoment => ({
  ...{ at: at(minute), phase: "Progressing", message: "", step: 0, stepCount: 2, stepText: null, weight: 0 },
  ...{ activity: "progressing", waits: [] },
  ...fields,
});

const inShort = (spans: readonly ReleaseSpan[]) =>
  spans.map(({ name, fromMs, toMs, parentKey, attributes }) => {
    const number = attributes["gatehouse.step.number"];
    const parent = spans.find(({ key }) => key === parentKey)?.attributes["gatehouse.step.number"];
    return `${name}${number === undefined ? "" : ` ${number}`} ${minuteOf(fromMs)}-${minuteOf(toMs)}${parent === undefined ? "" : ` in ${parent}`}`;
  });

const derive = (moments: CourseMoment[]) => deriveReleaseSpans(moments, { toMs: Date.parse(at(30)), runs: [] });

it("has a part for each step, and in it one for each pause and wait", () => {
  const spans = derive([
    moment(0, {}),
    moment(2, { activity: "pausing", weight: 20 }),
    moment(3, { activity: "pausing", weight: 20, message: "more" }),
    moment(5, { activity: "waiting" }),
    moment(9, { step: 1 }),
    moment(10, { step: 1, activity: "held" }),
    moment(12, { step: 1, activity: "analysing" }),
    moment(20, { step: 2 }),
  ]);
  expect(inShort(spans)).toEqual([
    ...["step 1 0-9", "step 2 9-20"],
    ...["pause 2-5 in 1", "wait 5-9 in 1", "hold 10-12 in 2"],
  ]);
  expect(spans[0]?.attributes).toMatchObject({ "gatehouse.step.count": 2, "gatehouse.step.weight": 0 });
});

it("begins another part if a wait or a step comes again", () => {
  const again = [moment(0, { activity: "waiting" }), moment(5, {}), moment(6, { activity: "waiting" })];
  expect(inShort(derive(again))).toEqual(["step 1 0-30", "wait 0-5 in 1", "wait 6-30 in 1"]);
  const back = [moment(0, {}), moment(5, { step: 1 }), moment(6, {})];
  expect(inShort(derive(back))).toEqual(["step 1 0-5", "step 2 5-6", "step 1 6-30"]);
});

it("has waits without steps, and no part without time", () => {
  const none = { step: null, stepCount: 0 };
  expect(inShort(derive([moment(0, none), moment(4, { ...none, activity: "waiting" })]))).toEqual(["wait 4-30"]);
  expect(derive([moment(30, { activity: "waiting" })])).toEqual([]);
});

it("has the analyses, with their verdicts", () => {
  const run = { uid: "u", name: "app-1", type: "Step", phase: "Failed", fromMs: 1, toMs: 2 };
  expect(deriveReleaseSpans([], { toMs: 3, runs: [run] })).toEqual([
    {
      ...{ key: "analysis/u", name: "analysis", fromMs: 1, toMs: 2 },
      attributes: {
        "gatehouse.analysis.name": "app-1",
        "gatehouse.analysis.type": "Step",
        "gatehouse.analysis.verdict": "Failed",
      },
    },
  ]);
});
