// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import { ReleasePage } from "#components/releases/release-page.tsx";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

type Example = { version: string; startedAt: string; minutes: number; value: number; pass: number };
const examples: Record<string, Example> = {
  own: { version: "v2", startedAt: "2026-11-28T10:00:00.000Z", minutes: 12, value: 0.91, pass: 0.95 },
  before: { version: "v1", startedAt: "2026-11-27T10:00:00.000Z", minutes: 46, value: 0.97, pass: 0.9 },
};

const after = (startedAt: string, minutes: number) => new Date(Date.parse(startedAt) + minutes * 60_000).toISOString();

function releaseOf(id: string, { version, startedAt }: Example) {
  const state = id === "own" ? "aborted" : "promoted";
  const message = id === "own" ? "Aborted by the controller: rate failed 2 times (1 allowed)" : "";
  return { ...answers.getRelease, ...{ id, state, message, startedAt, sentence: null, images: [`shop:${version}`] } };
}

function courseOf(id: string, example: Example) {
  const { startedAt, minutes } = example;
  const moment = { ...{ phase: "Progressing", message: "", stepCount: 2, stepText: "setWeight", waits: [] } };
  const runs = [{ uid: id, name: `run-${id}`, type: "Step", stepIndex: 1, phase: "Failed", message: "" }];
  const to = after(startedAt, minutes);
  return {
    release: releaseOf(id, example),
    ...{ base: null, templates: { base: null, release: null, since: null }, from: startedAt, to, isCut: false },
    moments: [{ ...moment, at: startedAt, step: 0, weight: 40, activity: "progressing" }],
    time: {
      total: minutes * 60,
      activities: { progressing: minutes * 60, analysing: 0, pausing: 0, waiting: 0, held: 0 },
      frozen: 0,
    },
    policiesKnownFrom: null,
    runs: runs.map((run) => ({ ...run, startedAt, completedAt: to, contradiction: id === "own", decided: true })),
    ...{ steps: [], experiments: [], acts: [], findings: [], warnings: [], attempts: [] },
  };
}

function runOf(uid: string, { startedAt, pass }: Example) {
  const [metric] = answers.getRun.metrics;
  const limit = { condition: "success", accessor: "result", operator: ">=", value: pass, text: String(pass) };
  const own = {
    ...metric,
    name: "rate",
    phase: "Failed",
    thresholds: [{ ...limit, inclusive: true, region: "above" }],
  };
  return { ...answers.getRun, uid, startedAt, metrics: [own] };
}

function measurementsOf({ startedAt, value }: Example) {
  const at = after(startedAt, 1);
  const [sample] = answers.listMeasurements.items;
  const own = { metric: "rate", value: String(value), parsed: { kind: "number", number: value } };
  return { items: [{ ...sample, ...own, startedAt: at, finishedAt: at }], nextCursor: null };
}

/** Undefined for requests that the page does without. */
function answer(address: string): unknown {
  const [, kind, id = "", rest] = /\/(releases|analysis-runs)(?:\/([^/?]+))?(?:\/([a-z]+))?/.exec(address) ?? [];
  const example = examples[id];
  if (kind === "releases" && example !== undefined) return courseOf(id, example);
  if (kind === "releases")
    return { items: Object.entries(examples).map(([key, each]) => releaseOf(key, each)), nextCursor: null };
  if (example === undefined) return undefined;
  if (rest === "earlier") return { items: [], nextCursor: null };
  return rest === "measurements" ? measurementsOf(example) : runOf(id, example);
}

it("compares with the release before by one click: both in a sentence, each metric once, with both limits", async () => {
  vi.stubGlobal("fetch", async (address: string) => {
    const found = answer(address);
    return found === undefined ? new Response("{}", { status: 404 }) : Response.json(found);
  });
  const errors = vi.spyOn(console, "error");
  onTestFinished(() => errors.mockRestore());
  await render(
    <AppRouterContext value={{} as AppRouterInstance}>
      <NuqsTestingAdapter hasMemory>
        <QueryClientProvider client={new QueryClient()}>
          <ReleasePage id="own" />
        </QueryClientProvider>
      </NuqsTestingAdapter>
    </AppRouterContext>,
  );
  // Loading modules and answers is not one step that `act` could wait for.
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  const listSections = () =>
    [...document.querySelectorAll("header ~ *")]
      .map((part) => part.getAttribute("aria-labelledby") ?? part.getAttribute("aria-label"))
      .filter((name) => name !== null);
  const findButton = (name: string) => [...document.querySelectorAll("button")].find((one) => one.textContent === name);
  const wait = { timeout: 60_000 };
  await vi.waitFor(() => expect(findButton("Compare vs v1")).toBeDefined(), wait);
  const sentence = "Aborted after 12 min at 40 %; v1 was promoted in 46 min.";
  await vi.waitFor(() => expect(document.body.textContent).toContain(sentence), wait);
  const decision = () => document.querySelector("[aria-labelledby=decided]")?.textContent ?? "";
  await vi.waitFor(() => expect(decision()).toContain("FailedVerdict mismatch"), wait);
  // The reason comes first.
  expect(document.querySelector("header")?.textContent).toMatch(
    /rate failed 2 times \(1 allowed\).* · aborted after 12 min · no manual actions/,
  );
  // Nothing that the top of the page has already: no act, and the only analysis.
  const sections = ["decided", "course", "time-split", "changes"];
  await vi.waitFor(() => expect(listSections()).toEqual(sections), wait);
  findButton("Compare vs v1")?.click();
  await vi.waitFor(() => expect(document.querySelector("[data-compared=rate]")).not.toBeNull(), wait);
  const pair = document.querySelector("section[aria-label='Analysis: step 2']");
  expect(listSections().slice(0, 2)).toEqual(["Analysis: step 2", "course"]);
  expect(pair?.textContent).toContain("v1 (from the same start)");
  expect(pair?.textContent).toContain("v1 had other limits: pass ≥ 0.9");
  expect(document.body.textContent).toContain(sentence);
  expect(pair?.querySelector("table")?.textContent).toContain("v1v2ChangeLimit");
  expect(pair?.textContent).toMatch(/^Analysis: step 2v1 Failed.*v2 Failed/);
  expect(pair?.querySelector("td")?.textContent).toMatch(/^0\.97 ?Failed, median 0\.97, 1 value/);
  // The longer release is shown up to twice the length of this one.
  const slider = document.querySelector<HTMLInputElement>("input[type=range]");
  expect(Number(slider?.max) - Number(slider?.min)).toBe(24 * 60_000);
  expect(document.querySelectorAll("[data-goes-on]")).toHaveLength(1);
  findButton("Close comparison")?.click();
  await vi.waitFor(() => expect(document.querySelector("[data-compared]")).toBeNull(), wait);
  expect(errors).not.toHaveBeenCalled();
});
