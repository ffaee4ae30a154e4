import { MantineProvider } from "@mantine/core";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { describeAfterParts, describeCurrent, placeRest, StepBar } from "#components/rollouts/step-bar.tsx";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import type { AllowedAction, Attention, RolloutDetail } from "#lib/contract/rollout.ts";

const answer = (allowed: boolean) =>
  [{ action: "continue", effect: "Clears the pause.", allowed }] as unknown as AllowedAction[];
const abort = [{ action: "abort", effect: "Aborts.", allowed: true }] as unknown as AllowedAction[];
const rollout = (reason: Attention["reason"], allowedActions: AllowedAction[]) =>
  ({ attention: { reason }, aborted: false, allowedActions }) as Pick<
    RolloutDetail,
    "attention" | "aborted" | "allowedActions"
  >;

const argo = { kind: "Rollout", strategy: "Canary" } as const;
const done = { state: "done", text: "setWeight: 50" } as const;
const follows = (...parts: { text: string; step: number | null }[]) => ({
  ...argo,
  follows: { text: "", parts: parts.map((part) => ({ kind: "promotion" as const, ...part })) },
});

it("ends the route with the promotion, which is current once all steps are done", () => {
  const rollout = follows({ text: "promotion", step: null }, { text: "canary scaled to zero", step: null });
  expect(placeRest(rollout, [done, done])).toEqual([
    { text: "promotion", state: "current" },
    { text: "canary scaled to zero", state: "pending" },
  ]);
  const earlier = follows({ text: "50 %", step: 2 }, { text: "100 %", step: null });
  expect(
    placeRest(earlier, [
      { ...done, state: "current" },
      { ...done, state: "pending" },
    ]),
  ).toEqual([{ text: "100 %", state: "pending" }]);
});

it.each([
  { text: "Then 70 % → wait 10 s → 100 %, no further analysis.", last: "100 %", note: "No further analysis." },
  { text: "Then 100 % → 100 %, with a new background run.", last: "100 %", note: "With a new background run." },
  { text: "Then wait for a person → 100 %.", last: "100 %", note: "" },
  {
    text: "Then full promotion; remaining steps and analysis are skipped.",
    last: "full promotion",
    note: "Remaining steps and analysis are skipped.",
  },
  { text: "In other words.", last: "100 %", note: "In other words." },
  { text: "", last: undefined, note: "" },
])("repeats no part of the plan below the bar: $text", ({ text, last, note }) => {
  const parts = last === undefined ? [] : [{ kind: "promotion" as const, text: last, step: null }];
  expect(describeAfterParts({ text, parts })).toBe(note);
});

it.each([
  { name: "of a promoted canary", facts: argo, steps: [done], rest: [{ text: "100 %", state: "done" }] },
  {
    name: "of an aborted canary",
    facts: argo,
    steps: [done, { ...done, state: "aborted" as const }],
    rest: [{ text: "100 %", state: "pending" }],
  },
  { name: "whose last step is 100 %", facts: argo, steps: [{ ...done, text: "setWeight: 100" }], rest: [] },
  {
    name: "of Flagger, which promotes the primary",
    facts: { ...argo, kind: "Canary" as const },
    steps: [done],
    rest: [],
  },
  { name: "of blue-green", facts: { ...argo, strategy: "BlueGreen" as const }, steps: [], rest: [] },
])("ends a route without an update at 100 %: $name", ({ facts, steps, rest }) => {
  expect(placeRest({ ...facts, follows: null }, steps)).toEqual(rest);
});

it("separates the number of a step from its weight", () => {
  const [step] = (answers.getRollout as RolloutDetail).steps;
  if (step === undefined) throw new TypeError("the example has no step");
  const rollout = { ...(answers.getRollout as RolloutDetail), steps: [{ ...step, text: "setWeight: 20" }] };
  const markup = renderToStaticMarkup(createElement(MantineProvider, null, createElement(StepBar, { rollout })));
  expect(markup.replaceAll(/<[^>]*>/g, "")).toContain("1 · 20 %");
});

it.each([
  { kind: "analysis" as const, part: "analysis success-rate", shown: "analysis success-rate" },
  { kind: "gate" as const, part: "wait for a person", shown: "wait for a person" },
  { kind: "other" as const, part: "a step of an unknown kind", shown: "20 %" },
])("names a step to come as the rest of the plan does: $part", ({ kind, part, shown }) => {
  const [step] = (answers.getRollout as RolloutDetail).steps;
  if (step === undefined) throw new TypeError("the example has no step");
  const rollout = {
    ...(answers.getRollout as RolloutDetail),
    steps: [{ ...step, text: "setWeight: 20" }],
    follows: { text: "", parts: [{ kind, text: part, step: 1 }] },
  };
  const markup = renderToStaticMarkup(createElement(MantineProvider, null, createElement(StepBar, { rollout })));
  expect(markup.replaceAll(/<[^>]*>/g, "")).toContain(`1 · ${shown},`);
});

it.each([
  { name: "a pause, for one who may continue", rollout: rollout("pause", answer(true)), words: "waiting for you" },
  { name: "a pause, for a viewer", rollout: rollout("pause", answer(false)), words: "waiting for a person" },
  { name: "a pause, for one who may only abort", rollout: rollout("pause", abort), words: "waiting for a person" },
  { name: "an Inconclusive analysis", rollout: rollout("inconclusive", answer(true)), words: "waiting for you" },
  { name: "the same for a viewer", rollout: rollout("inconclusive", answer(false)), words: "waiting for a person" },
])("$name: $words", ({ rollout, words }) => {
  expect(describeCurrent({ kind: "pause", endsAt: null, pluginStatuses: [] }, rollout, 0).words).toBe(words);
});

it.each([
  { aborted: true, words: "not reached" },
  { aborted: false, words: "upcoming" },
])("says of the promotion that it is $words", ({ aborted, words }) => {
  const rollout = { ...(answers.getRollout as RolloutDetail), aborted };
  const markup = renderToStaticMarkup(createElement(MantineProvider, null, createElement(StepBar, { rollout })));
  expect(markup).toMatch(new RegExp(`full promotion<span[^>]*>, ${words}<`));
});
