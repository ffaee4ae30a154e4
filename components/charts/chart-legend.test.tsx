import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ChartLegend } from "#components/charts/chart-legend.tsx";
import type { ChartMark } from "#components/charts/chart-marks.tsx";
import type { MetricChart } from "#components/charts/prepare-metric-chart.ts";

const mark = (kind: ChartMark["kind"], did: string | null = null): ChartMark => ({ atMs: 1, kind, text: kind, did });

function wordsOf(marks: readonly ChartMark[]): string {
  const markup = renderToStaticMarkup(
    <ChartLegend
      chart={{ points: [{}], gaps: [] } as unknown as MetricChart}
      explained={{ marks, earlier: [] }}
      {...{ compared: [], ownName: undefined, leftOut: undefined, detail: undefined, drawn: 1 }}
    />,
  );
  return markup.replaceAll(/<svg.*?<\/svg>/g, "|").replaceAll(/<[^>]*>/g, "");
}

it.each<{ name: string; marks: ChartMark[]; words: string }>([
  { name: "the kinds of its signs only", marks: [mark("abort"), mark("step"), mark("step")], words: "|step|aborted" },
  {
    name: "acts, each once",
    marks: [mark("person", "paused it"), mark("person", "paused it"), mark("person", "aborted it")],
    words: "|person or client: paused it, aborted it",
  },
  {
    name: "no acts if they are many",
    marks: ["a", "b", "c", "d"].map((did) => mark("person", did)),
    words: "|person or client",
  },
  { name: "nothing without signs", marks: [], words: "" },
])("names $name", ({ marks, words }) => {
  expect(wordsOf(marks)).toBe(words);
});
