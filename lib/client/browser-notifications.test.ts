import { describe, expect, it } from "vitest";
import type { NotifiableEventItem } from "#lib/contract/notification.ts";
import { countTitle, pickNotices } from "./browser-notifications.ts";

const nowMs = Date.parse("2026-11-23T10:00:00Z");
const event = (id: string, change: Partial<NotifiableEventItem> = {}): NotifiableEventItem => ({
  id,
  kind: "waiting",
  severity: "info",
  cluster: "prod",
  namespace: "shop",
  kindOfObject: "Rollout",
  name: id,
  title: "Waits for a person",
  sentence: `shop/${id} waits for a person.`,
  path: `/rollouts/prod/shop/Rollout/${id}`,
  at: "2026-11-23T09:59:58.000Z",
  queuedAt: "2026-11-23T09:59:59.000Z",
  ...change,
});
const old = { queuedAt: "2026-11-23T09:50:00.000Z" };

describe("pickNotices", () => {
  it.each<{ name: string; items: NotifiableEventItem[]; seen: string[] | undefined; shown: string[] }>([
    { name: "nothing at the first answer", items: [event("a")], seen: undefined, shown: [] },
    { name: "what is new", items: [event("b"), event("a")], seen: ["a"], shown: ["shop/b: Waits for a person"] },
    {
      name: "the oldest first",
      items: [event("b"), event("a")],
      seen: [],
      shown: ["shop/a: Waits for a person", "shop/b: Waits for a person"],
    },
    { name: "nothing twice", items: [event("a")], seen: ["a"], shown: [] },
    { name: "nothing old", items: [event("a", old)], seen: [], shown: [] },
    { name: "nothing that people did", items: [event("a", { kind: "action" })], seen: [], shown: [] },
    { name: "nothing that is over", items: [event("a", { kind: "finding-closed" })], seen: [], shown: [] },
    {
      name: "a cluster's name for what has no place",
      items: [event("a", { kind: "finding-opened", namespace: "", name: "", title: "Source is stale" })],
      seen: [],
      shown: ["prod: Source is stale"],
    },
    {
      name: "many as one",
      items: ["d", "c", "b", "a"].map((id) => event(id)),
      seen: [],
      shown: ["4 rollouts or findings need attention"],
    },
  ])("shows $name", ({ items, seen, shown }) => {
    expect(pickNotices({ items, seen, nowMs }).notices.map(({ title }) => title)).toEqual(shown);
  });

  it("lists the newest of many", () => {
    const items = ["g", "f", "e", "d", "c", "b", "a"].map((id) => event(id));
    const [notice] = pickNotices({ items, seen: [], nowMs }).notices;
    expect(notice?.body.split("\n")).toEqual([
      ...["g", "f", "e", "d", "c"].map((id) => `shop/${id}: Waits for a person`),
      "and 2 more",
    ]);
  });

  it("remembers what it was told, and only so many", () => {
    expect(pickNotices({ items: [event("b")], seen: ["a"], nowMs }).seen).toEqual(["b", "a"]);
    const seen = Array.from({ length: 300 }, (_, index) => String(index));
    expect(pickNotices({ items: [event("new")], seen, nowMs }).seen).toEqual(["new", ...seen.slice(0, 299)]);
  });
});

it.each([
  ["Inbox · Gatehouse", "3", "(3) Inbox · Gatehouse"],
  ["(3) Inbox · Gatehouse", "4", "(4) Inbox · Gatehouse"],
  ["(50+) Inbox · Gatehouse", undefined, "Inbox · Gatehouse"],
  ["Inbox · Gatehouse", "50+", "(50+) Inbox · Gatehouse"],
  ["(a) page", undefined, "(a) page"],
])("title %s with %s is %s", (title, count, shown) => {
  expect(countTitle(title, count)).toBe(shown);
});
