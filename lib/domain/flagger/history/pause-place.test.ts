import { expect, it } from "vitest";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { flaggerProvider } from "#lib/domain/flagger/provider.ts";
import { canaryOf } from "#lib/domain/flagger/view/testing/sample-canary.ts";

const observedAt = "2026-11-20T10:00:00Z";

it.each([
  ["Initialized", 0, 0],
  ["Waiting", 0, 0],
  ["Progressing", 0, 0],
  ["WaitingPromotion", 1, 0],
  ["Promoting", 1, 1],
  ["Finalising", 1, 1],
  ["Succeeded", 1, 1],
  ["Failed", 0, 0],
  ["SomethingNew", 0, 0],
])("%s", (phase, reached, passed) => {
  const spec = { targetRef: { kind: "Deployment", name: "podinfo" }, analysis: { stepWeight: 50, maxWeight: 50 } };
  const parsed = flaggerProvider.parse(canaryOf({ spec, status: { phase, lastAppliedSpec: "a" } }));
  if (!parsed.ok) throw new Error(parsed.reason);
  const projection = parsed.value.observe({
    summary: parsed.value.summarize(nothingRelated),
    toStorable: String,
    related: nothingRelated,
    writer: null,
    observedAt,
    isDeleted: false,
    knownPasses: [],
  });
  const { state } = flaggerProvider.readObservation({ observedAt, resourceVersion: "1", writer: null, projection });
  expect(state.pauses).toEqual({ steps: [0], reached, passed, isTimed: false });
});
