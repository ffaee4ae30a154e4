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

it("counts the last contact of a stale source as its state does: from the older of watch and read", async () => {
  const source: Source = {
    ...{ id: "prod/Rollout", cluster: "prod", kind: "Rollout", namespace: null, state: "stale", configured: true },
    ...{ lastContact: at(40), watchContact: at(5), readContact: at(40), staleAfterSeconds: 30 },
    ...{ clockSkewSeconds: 0, hold: null, lastError: null, objects: 12, historyBeginsAt: at(900) },
  };
  await render(<SourceCard source={source} isBrief={false} onHeld={() => {}} />);
  await act(async () => vi.advanceTimersByTime(0));
  const text = document.body.textContent ?? "";
  expect(text).toContain("The data is 40 s old");
  expect(text).toContain("Last contact 40 s ago");
  expect(text).toContain("watch 5 s ago");
});
