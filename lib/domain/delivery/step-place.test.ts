import { expect, it } from "vitest";
import { currentStepNumber } from "./step-place.ts";

it.each([
  { name: "three steps are done", place: { step: 3, stepCount: 6 }, number: 4 },
  { name: "none is done", place: { step: 0, stepCount: 6 }, number: 1 },
  { name: "all are done", place: { step: 6, stepCount: 6 }, number: 6 },
  { name: "not known", place: { step: null, stepCount: 6 }, number: null },
  { name: "a strategy without steps", place: { step: 0, stepCount: 0 }, number: null },
  { name: "not aborted", place: { step: 2, stepCount: 6, abortPoint: null }, number: 3 },
  { name: "aborted at the third", place: { step: 0, stepCount: 6, abortPoint: { step: 2 } }, number: 3 },
  { name: "aborted, nobody saw where", place: { step: 0, stepCount: 6, abortPoint: { step: null } }, number: null },
])("$name", ({ place, number }) => {
  expect(currentStepNumber(place)).toBe(number);
});
