import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { classifyCritical } from "#components/ui/finding-severity.tsx";
import { Verdict } from "#components/ui/run-table.tsx";
import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";

it.each([
  { findings: { open: 1 }, word: "1 critical finding" },
  { findings: { open: 3 }, word: "3 findings, worst critical" },
  { findings: { open: 1, badge: "Verdict mismatch" }, word: "Verdict mismatch" },
  { findings: { open: 3, badge: "Verdict mismatch" }, word: "Verdict mismatch, 3 findings" },
])("names a critical finding: $word", ({ findings, word }) => {
  expect(classifyCritical(findings)).toEqual({ state: "failed", word });
});

function show(run: Pick<AnalysisRunSummary, "phase" | "contradiction">): string {
  const markup = renderToStaticMarkup(
    <MantineProvider>
      <Verdict run={run} />
    </MantineProvider>,
  );
  return markup.replaceAll(/<style[^>]*>.*?<\/style>/gs, "");
}

it("names a contradicted verdict in red, and the recorded one beside it", () => {
  expect(show({ phase: "Successful", contradiction: true })).toMatch(
    /data-hue="red".*Verdict mismatch.*recorded as Successful/s,
  );
  expect(show({ phase: "Successful", contradiction: false })).not.toContain("mismatch");
});
