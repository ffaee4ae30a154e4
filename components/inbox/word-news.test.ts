import { describe, expect, it } from "vitest";
import { listArrivals, listDepartures, wordNews } from "#components/inbox/word-news.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

type Reason = "inconclusive" | "gate";

function row(
  name: string,
  since = "2026-11-23T12:05:00Z",
  reason: Reason = "inconclusive",
): Pick<InboxItem, "rollout"> {
  const rollout = { id: name, namespace: "payments", name, waitingSince: since, attention: { reason, since } };
  return { rollout: rollout as InboxItem["rollout"] };
}

const openedMs = Date.parse("2026-11-23T12:00:00Z");
const names = (rows: Pick<InboxItem, "rollout">[]) => rows.map(({ rollout }) => rollout.name).join();

describe("arrivals", () => {
  it("are rows that began to wait since the page was opened", () => {
    expect(names(listArrivals([row("a")], [row("a"), row("b")], openedMs))).toBe("b");
  });

  it("are not the rows of the next page of the list", () => {
    expect(names(listArrivals([row("a")], [row("a"), row("old", "2026-11-23T11:00:00Z")], openedMs))).toBe("");
  });

  it("may have come a little before, by the cluster's clock", () => {
    expect(names(listArrivals([], [row("b", "2026-11-23T11:59:30Z")], openedMs))).toBe("b");
  });
});

it("departures are rows that are on no list any more", () => {
  expect(names(listDepartures([row("a"), row("b")], [row("b")]))).toBe("a");
});

it.each([
  { arrived: [], left: [], words: undefined },
  { arrived: [row("checkout")], left: [], words: "payments/checkout waits: Inconclusive." },
  {
    arrived: [row("ledger", undefined, "gate")],
    left: [row("checkout")],
    words: "payments/ledger waits: Waiting at a gate. payments/checkout no longer waits.",
  },
  { arrived: ["a", "b", "c", "d"].map((name) => row(name)), left: [], words: "4 more rollouts wait." },
  { arrived: [], left: ["a", "b", "c", "d"].map((name) => row(name)), words: "4 rollouts no longer wait." },
])("says: $words", ({ arrived, left, words }) => {
  expect(wordNews({ arrived, left })).toBe(words);
});
