import { expect, it } from "vitest";
import { type RankedWait, rankWait } from "./rank-wait.ts";

const wait = (fields: Partial<RankedWait> = {}): RankedWait => ({
  isSnoozed: false,
  reason: "pause",
  traffic: 0,
  severity: "info",
  ...fields,
});

/** In each case, the first comes before the second. */
it.each<{ name: string; first: RankedWait; second: RankedWait }>([
  {
    name: "a decision before a repair that is not critical",
    first: wait(),
    second: wait({ reason: "degraded", traffic: 100, severity: "warning" }),
  },
  {
    name: "a decision before a critical repair whose traffic is unknown",
    first: wait(),
    second: wait({ reason: "degraded", traffic: null, severity: "critical" }),
  },
  {
    name: "a critical repair that serves traffic before a decision that serves more",
    first: wait({ reason: "degraded", traffic: 1, severity: "critical" }),
    second: wait({ traffic: 100 }),
  },
  {
    name: "a snoozed decision before a snoozed repair",
    first: wait({ isSnoozed: true }),
    second: wait({ isSnoozed: true, reason: "degraded", traffic: 100, severity: "critical" }),
  },
  {
    name: "a repair before a finding that serves more",
    first: wait({ reason: "degraded" }),
    second: wait({ reason: "finding", traffic: 100, severity: "warning" }),
  },
  {
    name: "a critical finding on live traffic before a repair that serves nothing",
    first: wait({ reason: "finding", traffic: 100, severity: "critical" }),
    second: wait({ reason: "degraded", severity: "critical" }),
  },
  { name: "traffic before none", first: wait({ traffic: 1 }), second: wait() },
  { name: "more traffic before less", first: wait({ traffic: 40 }), second: wait({ traffic: 5 }) },
  {
    name: "more traffic before a higher severity",
    first: wait({ traffic: 40 }),
    second: wait({ traffic: 5, severity: "critical" }),
  },
  {
    name: "a little traffic before a higher severity without any",
    first: wait({ traffic: 0.001 }),
    second: wait({ severity: "critical" }),
  },
  { name: "unknown traffic before none", first: wait({ traffic: null }), second: wait({ severity: "critical" }) },
  { name: "some traffic before unknown", first: wait({ traffic: 1 }), second: wait({ traffic: null }) },
  {
    name: "critical before a warning",
    first: wait({ traffic: 20, severity: "critical" }),
    second: wait({ traffic: 20, severity: "warning" }),
  },
  { name: "a warning before info", first: wait({ severity: "warning" }), second: wait({ severity: "info" }) },
  {
    name: "anything before what is snoozed",
    first: wait({ reason: "finding" }),
    second: wait({ isSnoozed: true, traffic: 100, severity: "critical" }),
  },
  {
    name: "snoozed ones by traffic too",
    first: wait({ isSnoozed: true, traffic: 100 }),
    second: wait({ isSnoozed: true, severity: "critical" }),
  },
])("ranks $name", ({ first, second }) => {
  expect(rankWait(first)).toBeLessThan(rankWait(second));
});

it.each([
  { name: "the same", one: wait({ traffic: 20 }), other: wait({ traffic: 20 }) },
  { name: "more than all", one: wait({ traffic: 100 }), other: wait({ traffic: 140 }) },
  { name: "less than none", one: wait(), other: wait({ traffic: -1 }) },
])("leaves the order to the age: $name", ({ one, other }) => {
  expect(rankWait(one)).toBe(rankWait(other));
});
