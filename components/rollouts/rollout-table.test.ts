import { MantineProvider } from "@mantine/core";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { findSince, formatStep, Reason, RolloutState, wordWithoutWeight } from "#components/rollouts/rollout-table.tsx";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import type { Attention, RolloutSummary } from "#lib/contract/rollout.ts";

const rollout = { step: 3, stepCount: 6, abortPoint: null };

it.each([
  { name: "the current step, not the completed ones", rollout, words: "4/6" },
  { name: "all done", rollout: { ...rollout, step: 6 }, words: "6/6" },
  { name: "aborted at the third", rollout: { ...rollout, step: 0, abortPoint: { step: 2, weight: 25 } }, words: "3/6" },
  {
    name: "aborted, nobody saw where",
    rollout: { ...rollout, abortPoint: { step: null, weight: null } },
    words: "?/6",
  },
  { name: "no steps", rollout: { ...rollout, step: null, stepCount: 0 }, words: "–" },
])("$name", ({ rollout, words }) => {
  expect(formatStep(rollout)).toBe(words);
});

it.each([
  { name: "one that waits", waitingSince: "2026-03-01T10:00:00Z", reason: "gate" as const, word: "waiting", at: 10 },
  { name: "a degraded one", waitingSince: null, reason: "degraded" as const, word: "in this state for", at: 10 },
  {
    name: "a healthy one",
    waitingSince: null,
    reason: undefined,
    phase: "Healthy" as const,
    word: "promoted",
    at: 9,
  },
  { name: "another", waitingSince: null, reason: undefined, word: "changed", at: 11 },
])(
  "counts the time of $name from when its state began or its version was promoted, not from its last update",
  ({ waitingSince, reason, phase = "Progressing" as const, word, at }) => {
    const since = "2026-03-01T10:00:00Z";
    const attention = reason === undefined ? null : { reason, since, severity: "warning" as const };
    const times = { stableSince: "2026-03-01T09:00:00Z", updatedAt: "2026-03-01T11:00:00Z" };
    const found = findSince({ phase, waitingSince, attention, ...times });
    expect(found).toEqual({ word, at: `2026-03-01T${String(at).padStart(2, "0")}:00:00Z` });
  },
);

const attentionOf = (reason: Attention["reason"]): Attention => ({
  ...{ reason, severity: "critical", since: "2026-03-01T10:00:00Z" },
});

it.each<{ name: string; attention: Attention | null; badge?: string; words: string }>([
  { name: "that is listed for it", attention: attentionOf("finding"), words: "1 critical finding" },
  {
    name: "whose rule has a name",
    ...{ attention: attentionOf("finding"), badge: "Verdict mismatch", words: "Verdict mismatch" },
  },
  { name: "that only has one", attention: null, words: "Healthy1 critical finding" },
])("shows the state of a healthy rollout with a critical finding $name: $words", ({ attention, badge, words }) => {
  const findings = { open: 1, worst: "critical" as const, ...(badge === undefined ? {} : { badge }) };
  const rollout = { ...(answers.getRollout as RolloutSummary), phase: "Healthy" as const, attention, findings };
  const markup = renderToStaticMarkup(
    createElement(MantineProvider, null, createElement(RolloutState, { rollout: { ...rollout, abortPoint: null } })),
  );
  expect(markup.replaceAll(/<(style|script).*?<\/\1>|<[^>]*>/gs, "")).toBe(words);
});

it("says without a weight that a version before its switch gets no traffic, and else nothing", () => {
  expect(wordWithoutWeight({ attention: attentionOf("blueGreenPromotion") })).toBe("0 %");
  expect(wordWithoutWeight({ attention: null })).toBe("–");
});

it("gives the reason of a rollout that needs something, whole in its title; one that needs nothing has none", () => {
  const markupOf = (sentence: string | null) =>
    renderToStaticMarkup(
      createElement(
        MantineProvider,
        null,
        createElement(Reason, { rollout: { ...(answers.getRollout as RolloutSummary), sentence } }),
      ),
    ).replaceAll(/<style.*?<\/style>/gs, "");
  const sentence = "error-rate failed 2 times (1 allowed) at step 3 of 5.";
  expect(markupOf(sentence)).toContain(`data-full="${sentence}"`);
  expect(markupOf(sentence).replaceAll(/<(style|script).*?<\/\1>|<[^>]*>/gs, "")).toBe(sentence);
  expect(markupOf(null).replaceAll(/<(style|script).*?<\/\1>|<[^>]*>/gs, "")).toBe("");
});
