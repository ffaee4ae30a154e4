// @vitest-environment jsdom
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SourceCard } from "#components/sources/source-rows.tsx";
import type { Source } from "#lib/contract/system.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const nowMs = Date.parse("2026-11-20T12:00:00Z");
const at = (secondsAgo: number) => new Date(nowMs - secondsAgo * 1000).toISOString();
const { render } = setUpReactRoot();

beforeEach(() => {
  vi.useFakeTimers({ now: nowMs });
});
afterEach(() => {
  vi.useRealTimers();
});

const stale: Source = {
  ...{ id: "prod/Rollout", cluster: "prod", kind: "Rollout", namespace: null, state: "stale", configured: true },
  ...{ lastContact: at(40), watchContact: at(5), readContact: at(40), staleAfterSeconds: 30 },
  ...{ clockSkewSeconds: 0, hold: null, lastError: null, objects: 12, historyBeginsAt: at(900) },
};

async function readCard(source: Source): Promise<string> {
  await render(<SourceCard source={source} isBrief={false} onHeld={() => {}} />);
  await act(async () => vi.advanceTimersByTime(0));
  return document.body.textContent ?? "";
}

it("counts the last contact of a stale source as its state does: from the older of watch and read", async () => {
  const text = await readCard(stale);
  expect(text).toContain("The data is 40 s old");
  expect(text).toContain("Last contact 40 s ago");
  expect(text).toContain("watch 5 s ago");
});

it("shows one contact of a live source, and for how long it was recorded", async () => {
  const live: Source = { ...stale, state: "live", lastContact: at(4), readContact: at(4), watchContact: at(2) };
  const text = await readCard(live);
  expect(text).toContain("Last contact 4 s ago");
  expect(text).not.toContain("watch");
  expect(text).toContain("Recorded for 15 min");
  expect(await readCard({ ...live, historyBeginsAt: null })).toContain("Recorded never");
});

it("names the rights that were withdrawn, and the cluster's refusal", async () => {
  const lastError = "the API server answered 403 (list analysisruns): analysisruns.argoproj.io is forbidden";
  const text = await readCard({ ...stale, kind: "AnalysisRun", state: "denied", lastError });
  expect(text).toContain("Denied");
  expect(text).toContain("get, list and watch analysisruns.argoproj.io in all namespaces");
  expect(text).toContain(lastError);
});
