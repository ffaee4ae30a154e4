import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { LiveTab } from "#components/rollouts/live-tab.tsx";
import { StepBar } from "#components/rollouts/step-bar.tsx";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import type { ReleaseRun, RolloutDetail } from "#lib/contract/rollout.ts";

const run = (uid: string, stepIndex: number) =>
  ({
    ...{ uid, name: `shop-${uid}`, type: "Step", stepIndex, phase: "Inconclusive", message: "", decided: false },
    ...{ contradiction: false, startedAt: "2026-11-28T10:00:00Z", completedAt: "2026-11-28T10:01:00Z" },
  }) as ReleaseRun;

const rollout = {
  ...(answers.getRollout as RolloutDetail),
  ...{ blueGreen: null, gates: null, steps: [], currentRuns: [] as RolloutDetail["currentRuns"] },
  attention: { reason: "inconclusive" } as RolloutDetail["attention"],
  evidence: [{ runUid: "b", metric: "rate", phase: "Inconclusive" } as MetricEvidence],
} satisfies RolloutDetail;

const textOf = (element: React.ReactElement) =>
  renderToStaticMarkup(<MantineProvider>{element}</MantineProvider>)
    .replaceAll(/<style[^>]*>.*?<\/style>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

it("lists the analyses that are not charted at the top of the page", () => {
  const text = textOf(<LiveTab rollout={{ ...rollout, releaseRuns: [run("a", 1), run("b", 3)] }} />);
  expect(text).toContain("Analysis of step 2");
  expect(text).not.toContain("Analysis of step 4");
});

it("says nothing about analyses if the only one is charted at the top of the page", () => {
  expect(textOf(<LiveTab rollout={{ ...rollout, releaseRuns: [run("b", 3)] }} />)).not.toContain("Analysis");
});

it("ends the line of the steps with the words about the rest of the plan", () => {
  const parts = [{ kind: "promotion" as const, text: "100 %", step: null }];
  const follows = { text: "Then 100 %, no further analysis.", parts } as RolloutDetail["follows"];
  const html = renderToStaticMarkup(
    <MantineProvider>
      <StepBar rollout={{ ...rollout, follows }} />
    </MantineProvider>,
  );
  expect(html.replaceAll(/<[^/][^>]*>/g, "")).toMatch(/No further analysis\.<\/span><\/li><\/ol>/);
});
