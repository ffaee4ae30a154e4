import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ChartHead } from "#components/rollouts/chart-head.tsx";
import { DecidingMetrics } from "#components/rollouts/deciding-metrics.tsx";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

const metric = (name: string, phase: MetricEvidence["phase"]): MetricEvidence => ({
  runUid: "u",
  metric: name,
  phase,
  ...{ values: [1], last: "1", unit: null, lastPhase: phase, condition: null, pass: null, fail: null, thresholds: [] },
  ...{ limit: null, summary: "1 of 1 measurements" },
});

function renderHtml(
  evidence: MetricEvidence[],
  attention: Partial<RolloutDetail["attention"]> | null = {},
  contradiction = false,
): string {
  const rollout = {
    ...{ evidence, attention, releaseRuns: [{ uid: "u", contradiction }] },
    ...{ currentRuns: [] as RolloutDetail["currentRuns"], phase: "Paused", aborted: false },
  } as RolloutDetail;
  return renderToStaticMarkup(
    <MantineProvider>
      <DecidingMetrics rollout={rollout} />
    </MantineProvider>,
  );
}

function render(...args: Parameters<typeof renderHtml>): string {
  return renderHtml(...args)
    .replaceAll(/<style[^>]*>.*?<\/style>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
}

it("shows a line for each metric that does not pass, and the others with their values", () => {
  const text = render([
    metric("success-rate", "Inconclusive"),
    metric("latency", "Successful"),
    metric("errors", "Successful"),
  ]);
  expect(text).toContain("success-rate");
  expect(text).toContain("1 of 1 measurements");
  expect(text).toContain("latency 1 errors 1");
});

it("says above a chart only what the chart does not show", () => {
  const charted: MetricEvidence = {
    ...metric("success-rate", "Inconclusive"),
    ...{ pass: "≥ 95 %", fail: "< 90 %", summary: "4 of 13 measurements were inconclusive (3 allowed)" },
    thresholds: [{ condition: "success", value: 0.95, inclusive: true, region: "above" }],
    limit: { what: "inconclusive", used: 4, limit: "3" },
  };
  const htmlOf = (evidence: MetricEvidence) =>
    renderToStaticMarkup(
      <MantineProvider>
        <ChartHead evidence={evidence} />
      </MantineProvider>,
    );
  const exceeded = htmlOf(charted);
  expect(exceeded).toContain(`<span class="visually-hidden">${charted.summary}</span>`);
  expect(exceeded).not.toMatch(/allowed<|≥ 95 %/);
  // This line is not on the chart.
  expect(exceeded).toContain("&lt; 90 %");
  // Nor is a limit that is not exceeded yet.
  expect(htmlOf({ ...charted, limit: { what: "inconclusive", used: 3, limit: "3" } })).toMatch(
    /3 inconclusive, 3 allowed</,
  );
});

it("does not show metrics as passing whose measurements contradict their run", () => {
  const evidence = [metric("success-rate", "Successful")];
  expect(renderHtml(evidence)).toContain('aria-label="Passing metrics"');
  expect(renderHtml(evidence, {}, true)).not.toContain('aria-label="Passing metrics"');
  expect(render(evidence, {}, true)).toContain("1 of 1 measurements");
});

it("draws nothing for checks without values, and counts them", () => {
  const check = (phase: MetricEvidence["phase"]): MetricEvidence => ({
    ...metric("request-duration", phase),
    ...{ values: [null, null], last: null, pass: "≤ 500ms", summary: "2 of 2 measurements successful" },
  });
  for (const phase of ["Running", "Successful"] as const) {
    const html = renderHtml([check(phase)]);
    expect(html).not.toContain('role="img" aria-label="request-duration');
    expect(html).not.toContain("mantine-Skeleton");
    expect(render([check(phase)])).toMatch(/request-duration 2 of 2 passed/);
  }
  const running = renderHtml([check("Running")]);
  expect(running).not.toContain("no value reported");
  expect(running).toContain("≤ 500ms");
  // A tick each.
  expect(/<svg[^>]*><path d="([^"]*)"/.exec(running)?.[1]?.match(/M/g)).toHaveLength(2);
  const failed = { ...check("Running"), summary: "1 of 2 measurements failed" };
  expect(renderHtml([failed])).not.toMatch(/<path d="M/);
});

it("links the run whose metric is charted, with its role and its end", () => {
  const run = { uid: "u", name: "shop-1-2", type: "Step", stepIndex: 3, phase: "Inconclusive", message: "" };
  const times = { startedAt: "2026-11-28T10:00:00Z", completedAt: "2026-11-28T10:01:00Z" };
  const rollout = {
    ...{ evidence: [metric("success-rate", "Inconclusive")], attention: { reason: "inconclusive" }, phase: "Paused" },
    ...{ aborted: false, currentRuns: [], releaseRuns: [{ ...run, ...times, decided: true, contradiction: false }] },
  } as unknown as RolloutDetail;
  const html = renderToStaticMarkup(
    <MantineProvider>
      <DecidingMetrics rollout={rollout} />
    </MantineProvider>,
  );
  expect(html).toContain('aria-label="Every measurement of shop-1-2"');
  expect(html).toContain("blocking the rollout · ended");
});

it.each([
  { name: "nothing was measured", evidence: [] as MetricEvidence[], attention: {} },
  { name: "nothing waits", evidence: [metric("success-rate", "Failed")], attention: null },
])("shows nothing if $name", ({ evidence, attention }) => {
  expect(render(evidence, attention).trim()).toBe("");
});
