import { expect, it } from "vitest";
import { wordDue, wordTurn } from "#components/inbox/word-turn.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

const nowMs = Date.parse("2026-11-20T12:00:00Z");
const ownAct = { text: "Promotes by itself", at: "2026-11-20T12:00:40Z" };
const actions = (...allowed: boolean[]) =>
  allowed.map((is) => ({ allowed: is, needs: { freeze: null } })) as InboxItem["actions"];

it.each([
  { name: "in seconds", at: "2026-11-20T12:00:40Z", says: "in 40 s" },
  { name: "in the last second", at: "2026-11-20T12:00:00.900Z", says: "due now" },
  { name: "at the moment", at: "2026-11-20T12:00:00Z", says: "due now" },
  { name: "past", at: "2026-11-20T11:58:00Z", says: "due now" },
  { name: "in minutes", at: "2026-11-20T12:02:05Z", says: "in 2 min 5 s" },
  { name: "in hours", at: "2026-11-20T14:00:00Z", says: "in 2 h" },
])("counts down to $name", ({ at, says }) => {
  expect(wordDue(at, nowMs)).toBe(says);
});

it.each([
  {
    name: "an operator who may",
    actions: actions(false, true),
    role: "operator",
    ownAct: null,
    says: "waiting for you",
  },
  {
    name: "one who may acknowledge",
    mayAcknowledge: true,
    actions: [],
    role: "operator",
    ownAct: null,
    says: "waiting for you",
  },
  {
    name: "one whom a set holds back",
    mayAcknowledge: true,
    actions: [
      { allowed: false, reasonCode: "barrier", reason: "Not yet.", needs: {} },
      ...actions(true),
    ] as InboxItem["actions"],
    role: "operator",
    ownAct: null,
    says: "waiting for a person",
  },
  { name: "a viewer", actions: actions(true), role: "viewer", ownAct: null, says: "waiting for an operator" },
  { name: "nothing possible", actions: actions(false), role: "operator", ownAct: null, says: "waiting for a person" },
  { name: "no actions", actions: [], role: "admin", ownAct: null, says: "waiting for a person" },
  { name: "an unknown reader", actions: actions(true), role: undefined, ownAct: null, says: "waiting for an operator" },
  { name: "the controller's turn", actions: actions(true), role: "operator", ownAct, says: "acts by itself" },
])("says whose turn it is: $name", ({ says, role, ...item }) => {
  expect(wordTurn({ mayAcknowledge: false, rollout: { attention: null }, ...item }, role)).toBe(says);
});

it.each(["degraded", "finding"] as const)("names no turn for a failure: %s", (reason) => {
  const rollout = { attention: { reason, severity: "critical" as const, since: "2026-11-20T12:00:00Z" } };
  expect(wordTurn({ mayAcknowledge: true, rollout, actions: actions(true), ownAct: null }, "operator")).toBeUndefined();
});
