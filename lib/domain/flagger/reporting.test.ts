import { describe, expect, it } from "vitest";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import type { ReportedRelease } from "#lib/domain/delivery/reporting.ts";
import { advance, copying, halt, rolledBack, started, timeAt } from "./measuring/testing/run-messages.ts";
import { flaggerProvider } from "./provider.ts";
import { flaggerReporting } from "./reporting.ts";

const spec = {
  provider: "istio",
  targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
  analysis: {
    interval: "10s",
    threshold: 2,
    maxWeight: 60,
    stepWeight: 20,
    metrics: [{ name: "errors", templateRef: { name: "errors" }, thresholdRange: { max: 3 } }],
    webhooks: [{ name: "gate", type: "confirm-promotion", url: "https://user:secret@host/" }],
  },
};

const canaryOf = (status: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  apiVersion: "flagger.app/v1beta1",
  kind: "Canary",
  metadata: { name: "a", namespace: "b", uid: "u", resourceVersion: "1" },
  spec: { ...spec, ...more },
  status: { canaryWeight: 0, failedChecks: 0, lastPromotedSpec: "A", ...status },
});

/** Makes the observations that a recorder stores of these statuses, ten seconds apart. */
function observe(statuses: readonly Record<string, unknown>[]): ReportedRelease["observations"] {
  let memory: unknown;
  return statuses.map((status, index) => {
    const parsed = flaggerProvider.parse(canaryOf(status));
    if (!parsed.ok) throw new Error(parsed.reason);
    const related = { ...nothingRelated, memory };
    const observedAt = timeAt(index * 10);
    const summary = parsed.value.summarize(related);
    memory = parsed.value.observe({
      summary,
      toStorable: String,
      related,
      writer: null,
      observedAt,
      isDeleted: false,
      knownPasses: [],
    });
    return { observedAt, projection: memory };
  });
}

const idle = { phase: "Succeeded", lastAppliedSpec: "A" };
const going = { phase: "Progressing", lastAppliedSpec: "B" };

const reportedOf = (texts: readonly string[], more: Partial<ReportedRelease> = {}): ReportedRelease => ({
  release: { runKey: "B", attempt: 1, state: "progressing", startedAt: timeAt(10), endedAt: null },
  observations: observe([idle, going]),
  object: canaryOf(going),
  rules: undefined,
  messages: texts.map((text, index) => ({ at: timeAt(10 + index * 10), source: "webhook", text, count: 1 })),
  samples: [],
  ...more,
});

const aborted = { runKey: "B", attempt: 1, state: "aborted", startedAt: timeAt(10), endedAt: timeAt(61) } as const;

describe("deriveRun", () => {
  it("derives a run that goes on, with its rules and no webhooks", () => {
    const run = flaggerReporting.deriveRun(reportedOf([started, advance(20), advance(40), halt("errors")]));
    expect(run).toMatchObject({ phase: "Running", startedAt: timeAt(10), completedAt: undefined, gaps: [] });
    expect(run?.metrics[0]?.result?.measurements.map(({ seq, phase, value }) => [seq, phase, value])).toEqual([
      [1, "Successful", undefined],
      [2, "Failed", "5"],
    ]);
    expect(run?.rules).toMatchObject({ threshold: 2, interval: "10s", metrics: [{ name: "errors" }] });
    expect(JSON.stringify(run?.rules)).not.toContain("webhooks");
  });

  it("ends at the time that Flagger names", () => {
    const texts = [started, advance(20), halt("errors"), halt("errors"), rolledBack];
    const run = flaggerReporting.deriveRun(reportedOf(texts, { release: aborted }));
    expect(run).toMatchObject({ phase: "Failed", message: halt("errors"), completedAt: timeAt(50) });
  });

  it("keeps the rules of a run that has ended", () => {
    const rules = { metrics: [], threshold: 7 };
    const run = flaggerReporting.deriveRun(reportedOf([started, rolledBack], { release: aborted, rules }));
    expect(run).toMatchObject({ rules: { threshold: 7 }, metrics: [] });
  });

  it("says that nothing is known if nothing was told", () => {
    const run = flaggerReporting.deriveRun(
      reportedOf([], { release: aborted, observations: observe([idle, going, { ...going, failedChecks: 2 }]) }),
    );
    expect(run).toMatchObject({ phase: "Failed", message: "", gaps: [{ afterSeq: 0, atLeast: 2 }] });
    expect(run?.metrics[0]?.result).toBeUndefined();
  });

  it("counts a run that took another's place from where it began again", () => {
    const restarted = "New revision detected! Restarting analysis for a.b";
    const texts = [started, advance(20), halt("errors"), restarted, advance(20), advance(40)];
    const observations = observe([idle, going, going, going, { ...going, lastAppliedSpec: "C" }]).slice(3);
    const release = { runKey: "C", attempt: 1, state: "progressing", startedAt: timeAt(40), endedAt: null } as const;
    const run = flaggerReporting.deriveRun(reportedOf(texts, { observations, release }));
    expect(run?.metrics[0]?.result?.measurements.map(({ seq, phase }) => [seq, phase])).toEqual([[1, "Successful"]]);
  });

  it.each([
    { name: "was never seen running", reported: { observations: observe([idle]) } },
    {
      name: "skipped its analysis",
      reported: {
        object: canaryOf(going, { skipAnalysis: true }),
        release: { ...aborted, state: "promoted" as const },
      },
    },
    { name: "has no analysis", reported: { object: canaryOf(going, { analysis: null }) } },
  ])("finds no run in a release that $name", ({ reported }) => {
    const skipped = "Promotion completed! Canary analysis was skipped for a.b";
    expect(flaggerReporting.deriveRun(reportedOf([started, copying, skipped], reported))).toBeUndefined();
  });
});
