import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { AuditItems } from "#components/ui/audit-items.tsx";
import { formatClockTime, formatDay } from "#components/ui/format-time.ts";
import { shownTimeZone } from "#lib/client/time-display.ts";
import type { AuditItem } from "#lib/contract/audit.ts";

const entry = (seq: number, time: string): AuditItem => ({
  seq,
  time,
  actor: { type: "user", name: "oncall" },
  source: "gatehouse",
  code: "action.abort",
  requestId: "r",
  previousHash: "a",
  entryHash: "b",
  hash: "c",
  sentence: `act ${seq}`,
  attributedBy: null,
  intentSeq: null,
  effect: null,
});

function render(items: AuditItem[]): string {
  const list = {
    items,
    error: null,
    retry() {},
    hasMore: false,
    isLoadingMore: false,
    loadMore() {},
    isPlaceholder: false,
  };
  return renderToStaticMarkup(
    <MantineProvider>
      <AuditItems list={list} isFiltered={false} />
    </MantineProvider>,
  ).replaceAll(/<style[^>]*>.*?<\/style>/gs, "");
}

it("names each day once, with its year and the time zone; a row has the clock time", () => {
  const times = ["2026-11-24T12:00:09.000000Z", "2026-11-24T12:00:00.000000Z", "2026-11-22T12:00:00.000000Z"];
  const markup = render(times.map((time, index) => entry(9 - index, time)));
  const headOf = (time: string) => `${formatDay(Date.parse(time))} · ${shownTimeZone()}`;
  const heads = [...markup.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, text]) => text);
  expect(heads).toEqual([headOf(times[0] ?? ""), headOf(times[2] ?? "")]);
  expect(heads[0]).toContain("2026");
  for (const time of times) expect(markup).toContain(`data-full="${formatClockTime(Date.parse(time))}"`);
  expect(markup.match(/2026 /g)).toHaveLength(2);
});

it("lists an entry whose time cannot be read", () => {
  const markup = render([entry(1, "changed")]);
  expect(markup).toContain("Day unknown");
  expect(markup).toContain('data-full="changed"');
});

it.each([
  { action: "abort", outcome: "applied", hue: "green" },
  { action: "continue", outcome: "applied", hue: "green" },
  { action: "abort", outcome: "refused", hue: "red" },
] as const)("shows by its icon what became of the act: $action $outcome", ({ action, outcome, hue }) => {
  const markup = render([{ ...entry(1, "2026-11-24T12:00:00.000000Z"), action, outcome }]);
  expect(markup).toContain(`data-hue="${hue}"`);
});

it("says beside the time only that it took effect late, and in the sentence that it did not", () => {
  const effectOf = (effect: AuditItem["effect"]) =>
    render([{ ...entry(1, "2026-11-24T12:00:00.000000Z"), action: "abort", outcome: "applied", effect }]).replaceAll(
      /<[^>]*>/g,
      "",
    );
  expect(effectOf({ state: "effective", seconds: 0.5, why: null })).not.toContain("took effect");
  expect(effectOf({ state: "effective", seconds: 5, why: null })).not.toContain("took effect");
  expect(effectOf({ state: "effective", seconds: 8, why: null })).toMatch(/act 1took effect in 8 s · .*, entry 1$/);
  expect(effectOf({ state: "not-effective", seconds: null, why: "given-up" })).toContain(
    "act 1\u00a0· no effect in 24",
  );
});

it("has the numbers of a row's entries in a column of their own, the request's first", () => {
  const markup = render([{ ...entry(9, "2026-11-24T12:00:00.000000Z"), intentSeq: 8 }]);
  expect(markup.replaceAll(/<[^>]*>/g, "")).toMatch(/, entry 8, 9$/);
});
