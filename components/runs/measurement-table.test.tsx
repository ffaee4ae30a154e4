// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { act, useState } from "react";
import { flushSync } from "react-dom";
import { expect, it, vi } from "vitest";
import { MeasurementTable, PreloadedTable } from "#components/runs/measurement-table.tsx";
import type { AnalysisRunDetail, Measurement, RunMetric } from "#lib/contract/analysis-run.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const run = {
  ...{ uid: "u", presence: "deleted", phase: "Successful", startedAt: "2026-11-28T10:00:00.000Z", rollout: null },
} as AnalysisRunDetail;
const metric = { name: "latency", recorded: 3, gaps: [] as RunMetric["gaps"], unit: "ms" } as RunMetric;
const measured = (seq: number, number: number) =>
  ({
    ...{ metric: "latency", seq, phase: "Successful", value: String(number), parsed: { kind: "number", number } },
    ...{
      startedAt: "2026-11-28T10:00:01.000Z",
      finishedAt: "2026-11-28T10:00:01.500Z",
      message: "",
      superseded: false,
    },
  }) as Measurement;
const items = [measured(1, 347.1234), measured(2, 200.5), measured(3, 200)];

const { render } = setUpReactRoot();

function Example() {
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <PreloadedTable run={run} metric={metric} />
      <button type="button" onClick={() => flushSync(() => setIsShown(true))} />
      {isShown && <MeasurementTable run={run} metric={metric} />}
    </>
  );
}

it("has loaded the table of a folded metric before the browser prints", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ items, nextCursor: null }));
  const client = new QueryClient();
  await render(
    <NuqsTestingAdapter>
      <QueryClientProvider client={client}>
        <Example />
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  );
  await act(() => expect.poll(() => client.isFetching()).toBe(0));
  expect(document.querySelector("table")).toBeNull();
  let printed: string | null | undefined;
  await act(async () => {
    document.querySelector("button")?.click();
    printed = document.querySelector("table")?.textContent;
  });
  expect(printed).toContain("347.1234");
  // The unit is behind the number, and the points are below each other.
  expect([...document.querySelectorAll("td:nth-of-type(2)")].map((cell) => cell.textContent)).toEqual([
    "347.1234\u2009ms",
    "200.5\u2009ms\u00a0\u00a0\u00a0",
    "200\u2009ms\u00a0\u00a0\u00a0\u00a0\u00a0",
  ]);
});
