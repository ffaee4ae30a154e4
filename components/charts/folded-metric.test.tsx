// @vitest-environment jsdom
import { act, useState } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { DifferenceChart } from "#components/charts/difference-chart.tsx";
import { FoldedMetric, prepareShape } from "#components/charts/folded-metric.tsx";
import { findFolded } from "#components/charts/run-charts.tsx";
import type { Measurement, RunMetric } from "#lib/contract/analysis-run.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const metric = {
  name: "latency",
  phase: "Successful",
  unit: "ms",
  explanation: "latency: 2 of 2 passed before measuring stopped.",
  thresholds: [
    { ...{ condition: "success", accessor: "result", operator: "<=", value: 400, text: "400" }, region: "below" },
  ],
} as RunMetric;
const measurement = (seq: number, number: number, value = String(number)) =>
  ({
    ...{ seq, metric: "latency", phase: "Successful", value, parsed: { kind: "number", number } },
    ...{ startedAt: `2026-11-28T10:00:0${seq}.000Z`, finishedAt: `2026-11-28T10:00:0${seq}.500Z` },
  }) as Measurement;

const { render } = setUpReactRoot();

function Example() {
  const [isOpen, setOpen] = useState(false);
  return (
    <FoldedMetric
      metric={metric}
      measurements={[measurement(1, 310), measurement(2, 348)]}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
    >
      the chart
    </FoldedMetric>
  );
}

it("shows a passing metric as a line whose name says value, limit and verdict, and opens its chart", async () => {
  await render(<Example />);
  const button = document.querySelector("button");
  expect(button?.getAttribute("aria-expanded")).toBe("false");
  expect(document.querySelector("svg[role=img][aria-label]:last-of-type")?.getAttribute("aria-label")).toBe(
    "latency: 348\u2009ms, pass ≤ 400 ms, 2 of 2 passed before measuring stopped.",
  );
  expect(document.body.textContent).not.toContain("the chart");
  await act(async () => button?.click());
  expect(button?.getAttribute("aria-expanded")).toBe("true");
  expect(document.body.textContent).toContain("the chart");
});

it("names a metric without numbers by its words instead of a drawing", async () => {
  const passed = { ...measurement(1, 0), value: null, parsed: { kind: "empty" } } as Measurement;
  await render(
    <FoldedMetric metric={metric} measurements={[passed]} isOpen={false} onToggle={() => undefined}>
      the chart
    </FoldedMetric>,
  );
  const button = document.querySelector("button");
  expect(button?.querySelector("svg[role=img][aria-label^=latency]")).toBeNull();
  const hidden = [...(button?.querySelectorAll('span[aria-hidden="true"]') ?? [])].map((span) => span.textContent);
  expect(hidden.join("")).toBe("");
  expect(button?.textContent).toContain("latency2 of 2 passed before measuring stopped");
});

it.each([
  { value: "399.96", number: 399.96, last: "399.96\u2009ms", recorded: "399.96" },
  { value: "347.1234", number: 347.1234, last: "347.1\u2009ms", recorded: "347.1234" },
  { value: "0.00000012345", number: 1.2345e-7, last: "0.00000012345\u2009ms", recorded: "0.00000012345" },
  { value: "[347.1234]", number: 347.1234, last: "347.1\u2009ms", recorded: "347.1234" },
])("shows $value as $last, and as recorded on hover", async ({ value, number, last, recorded }) => {
  const measurements = [measurement(1, number, value)];
  expect(prepareShape(metric, measurements)).toMatchObject({ last, recorded });
  await render(
    <FoldedMetric metric={metric} measurements={measurements} isOpen={false} onToggle={() => undefined}>
      the chart
    </FoldedMetric>,
  );
  expect(document.querySelector(`[title="${recorded}"]`)?.textContent).toBe(last);
});

it("has its chart on paper, drawn before the browser prints", async () => {
  const measured = vi.spyOn(HTMLElement.prototype, "getBoundingClientRect");
  measured.mockReturnValue(new DOMRect(0, 0, 600, 200));
  onTestFinished(() => measured.mockRestore());
  const startMs = Date.parse("2026-11-28T10:00:00Z");
  const points = [310, 348].map((value, index) => ({ atMs: startMs + index * 1_000, value }));
  await render(
    <FoldedMetric metric={metric} measurements={[measurement(1, 310)]} isOpen={false} onToggle={() => undefined}>
      <DifferenceChart
        {...{ label: "candidate minus baseline", labelLength: 10, unit: null }}
        own={points}
        other={points}
        timeDomain={[startMs, startMs + 5_000]}
      />
    </FoldedMetric>,
  );
  const countLines = () => document.querySelectorAll("path.recharts-curve").length;
  expect(countLines()).toBe(0);
  let printed = 0;
  await act(async () => {
    window.dispatchEvent(new Event("beforeprint"));
    printed = countLines();
  });
  expect(printed).toBe(1);
  await act(async () => window.dispatchEvent(new Event("afterprint")));
  expect(countLines()).toBe(0);
});

it.each([
  { phases: ["Inconclusive", "Successful", "Successful"], folded: ["b", "c"] },
  { phases: ["Successful", "Successful"], folded: ["b"] },
  { phases: ["Successful"], folded: [] },
  { phases: ["Failed", "Running"], folded: [] },
] as const)("folds $folded of $phases", ({ phases, folded }) => {
  const metrics = phases.map((phase, index) => ({ name: "abc".charAt(index), phase }));
  expect([...findFolded(metrics)]).toEqual(folded);
});

it("does not fold a recorded success that its measurements contradict", () => {
  const metrics = [
    { name: "a", phase: "Successful", replayedPhase: "Failed" },
    { name: "b", phase: "Successful", replayedPhase: null },
  ] as const;
  expect([...findFolded(metrics)]).toEqual(["b"]);
});
