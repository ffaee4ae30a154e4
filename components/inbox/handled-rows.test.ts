import { expect, it } from "vitest";
import { describeHandled } from "#components/inbox/handled-rows.tsx";
import type { InboxItem } from "#lib/contract/inbox.ts";

const answered = (...kinds: ("acknowledged" | "aborted")[]) =>
  kinds.map((kind) => ({ answer: { kind } }) as Pick<InboxItem, "answer">);

it.each([
  { name: "nothing", given: { snoozed: 0, answered: [], isCut: false }, says: undefined },
  { name: "snoozed only", given: { snoozed: 3, answered: [], isCut: false }, says: "3 snoozed" },
  {
    name: "all kinds",
    given: { snoozed: 1, answered: answered("acknowledged", "aborted", "acknowledged"), isCut: false },
    says: "1 snoozed, 2 acknowledged, 1 aborted on purpose",
  },
  {
    name: "more than are loaded",
    given: { snoozed: 0, answered: answered("aborted"), isCut: true },
    says: "1 aborted on purpose, and more",
  },
])("says what is folded: $name", ({ given, says }) => {
  expect(describeHandled(given)).toBe(says);
});
