import { expect, it } from "vitest";
import { findNextWake } from "#components/inbox/inbox-page.tsx";
import type { InboxItem } from "#lib/contract/inbox.ts";

const row = (snooze: { until: string | null } | null) => ({ handling: { snooze } }) as InboxItem;

it.each([
  { name: "no rows", items: [], next: undefined },
  { name: "nothing snoozed", items: [row(null)], next: undefined },
  { name: "only until a change", items: [row({ until: null })], next: undefined },
  {
    name: "several",
    items: [
      row({ until: "1970-01-01T00:00:09Z" }),
      row(null),
      row({ until: "1970-01-01T00:00:07Z" }),
      row({ until: null }),
    ],
    next: 7000,
  },
])("finds when the first snooze ends: $name", ({ items, next }) => {
  expect(findNextWake(items)).toBe(next);
});
