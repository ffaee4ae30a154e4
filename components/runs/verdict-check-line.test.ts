// @vitest-environment jsdom
import { act, createElement } from "react";
import { expect, it } from "vitest";
import { describeVerdictCheck, VerdictCheckLine } from "#components/runs/verdict-check-line.tsx";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

type Check = NonNullable<AnalysisRunDetail["verdictCheck"]>;

const check = (state: Check["state"], findings: Check["findings"] = []): Check => {
  return { state, findings, checkedAt: "2026-11-20T10:00:00Z" };
};

it.each([
  ["agrees", /^Verdict verified: .* gives the same result/],
  ["contradicts", /^Verdict mismatch: /],
  ["ended-early", /^Ended early: /],
  ["undecided", /^Unknown: /],
] as const)("%s is said in words", (state, words) => {
  const described = describeVerdictCheck({ phase: "Successful", verdictCheck: check(state) });
  expect(described).toMatchObject({ sign: state, words: expect.stringMatching(words) });
});

it("says in short how a verdict was verified", () => {
  const described = describeVerdictCheck({ phase: "Successful", verdictCheck: check("agrees") });
  expect(described?.short).toBe("Verdict verified by replaying its measurements");
});

it("says that a run which has ended is not checked yet, and nothing of one that goes on", () => {
  expect(describeVerdictCheck({ phase: "Failed", verdictCheck: null })?.sign).toBe("due");
  expect(describeVerdictCheck({ phase: "Running", verdictCheck: null })).toBeUndefined();
});

it("names the metric of a finding", () => {
  const verdictCheck = check("contradicts", [
    { kind: "contradiction", rule: "measurement", metric: "rate", seq: 3, text: "No. 3 is wrong." },
    { kind: "contradiction", rule: "run", text: "The run is wrong." },
  ]);
  expect(describeVerdictCheck({ phase: "Successful", verdictCheck })?.findings).toEqual([
    { key: "measurement rate 3", text: "rate: No. 3 is wrong." },
    { key: "run  ", text: "The run is wrong." },
  ]);
});

it("keeps all but the name of a mismatch in its details, which open on paper", async () => {
  const verdictCheck = check("contradicts", [{ rule: "phase", text: "The phase differs." }] as Check["findings"]);
  const run = { phase: "Successful", verdictCheck } as unknown as AnalysisRunDetail;
  await render(createElement(VerdictCheckLine, { run }, "finding"));
  expect(document.querySelector("summary")?.textContent).toBe("Verdict mismatch: details of the check");
  expect(document.querySelector("details")?.textContent).toMatch(
    /details of the check.*does not give the recorded result\.The phase differs\.finding$/,
  );
  const isOpen = () => document.querySelector("details")?.open;
  expect(isOpen()).toBe(false);
  await act(async () => window.dispatchEvent(new Event("beforeprint")));
  expect(isOpen()).toBe(true);
  await act(async () => window.dispatchEvent(new Event("afterprint")));
  expect(isOpen()).toBe(false);
});
