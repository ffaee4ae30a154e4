import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ReleaseActs } from "#components/ui/release-acts.tsx";
import type { Release, ReleaseAct } from "#lib/contract/rollout.ts";

const act = (change: Partial<ReleaseAct>): ReleaseAct => ({
  seq: 12,
  time: "2026-11-20T10:00:00.000000Z",
  action: "abort",
  actor: { type: "user", name: "oncall" },
  source: "gatehouse",
  who: "oncall",
  did: "aborted it at 50 %",
  reason: null,
  outcome: "applied",
  effect: { state: "effective", seconds: 1.2, why: null },
  ...change,
});

function render(latest: ReleaseAct[], total = latest.length): string {
  const release = {
    id: "r1",
    rollout: { id: "c/n/Rollout/a", cluster: "c", namespace: "n", kind: "Rollout", name: "a" },
    acts: { total, latest },
  } as Release;
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <ReleaseActs release={release} />
      </QueryClientProvider>
    </MantineProvider>,
  ).replaceAll(/<style[^>]*>.*?<\/style>/gs, "");
}
const textOf = (markup: string) => markup.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");

describe("ReleaseActs", () => {
  it("says who did what, why, and links the entry", () => {
    const markup = render([act({ reason: "errors rise" })]);
    expect(textOf(markup)).toBe("oncall aborted it at 50 %: “errors rise” entry 12");
    expect(markup).toContain('href="/audit/12"');
    expect(markup).toContain('data-full="oncall aborted it at 50 %: “errors rise”" data-lines="2"');
    expect(textOf(markup)).not.toContain("took effect");
    expect(markup).not.toContain("data-outside");
  });

  it("marks what was done without Gatehouse", () => {
    const markup = render([
      act({ source: "cluster", who: "client unknown, outside Gatehouse", did: "continued it", effect: null }),
    ]);
    expect(textOf(markup)).toContain("client unknown, outside Gatehouse continued it");
    expect(markup).toContain("data-outside");
  });

  it("says that an outcome is unknown", () => {
    const unknown = act({
      did: "asked to abort it",
      outcome: "unknown",
      effect: { state: "unknown", seconds: null, why: null },
    });
    expect(textOf(render([unknown]))).toContain("outcome unknown");
  });

  it.each([
    { why: "awaited", text: "no effect yet, still watched" },
    { why: "superseded", text: "superseded before it took effect" },
    { why: "given-up", text: "no effect in 24 hours" },
    { why: null, text: "had no effect" },
  ])("says why it had no effect: $why", ({ why, text }) => {
    const acted = act({ outcome: "applied", effect: { state: "not-effective", seconds: null, why } });
    expect(textOf(render([acted]))).toBe(`oncall aborted it at 50 % (${text}) entry 12`);
  });

  it("shows the last, and how many more there are", () => {
    const markup = render(
      [12, 11, 10, 9].map((seq) => act({ seq })),
      14,
    );
    expect(textOf(markup)).toContain("entry 12");
    expect(textOf(markup)).not.toContain("entry 11");
    expect(textOf(markup)).toContain("+13 more");
    expect(markup).toContain('href="/releases/r1"');
  });

  it("is not there where nobody did anything", () => {
    expect(textOf(render([]))).toBe("");
  });
});
