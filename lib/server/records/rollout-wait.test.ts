import { describe, expect, it } from "vitest";
import { decideWait, isBegun, noWait, ownWaitOf, type Wait } from "./rollout-wait.ts";

const at = new Date("2026-11-23T10:00:00Z");
const later = new Date("2026-11-23T10:05:00Z");
const pause: Wait = { attention_reason: "pause", attention_since: at, attention_severity: "info" };
const finding: Wait = { attention_reason: "finding", attention_since: later, attention_severity: "critical" };
const critical = { presence: "live", worst_finding: "critical", worst_finding_since: later } as const;

describe("what a rollout waits for", () => {
  it.each<{ name: string; own: Wait; stored: Parameters<typeof decideWait>[1]; expected: Wait }>([
    { name: "its own wait, whatever was found", own: pause, stored: critical, expected: pause },
    { name: "its critical finding, since that began", own: noWait, stored: critical, expected: finding },
    {
      name: "nothing with a warning",
      own: noWait,
      stored: { ...critical, worst_finding: "warning" },
      expected: noWait,
    },
    { name: "nothing once it is gone", own: noWait, stored: { ...critical, presence: "deleted" }, expected: noWait },
    { name: "nothing if it was never stored", own: noWait, stored: undefined, expected: noWait },
  ])("is $name", ({ own, stored, expected }) => {
    expect(decideWait(own, stored)).toEqual(expected);
  });

  it("is no longer its own if a critical finding took its place", () => {
    expect(ownWaitOf(finding)).toEqual(noWait);
    const ignored: Wait = { ...finding, attention_severity: "warning" };
    expect(ownWaitOf(ignored)).toBe(ignored);
    expect(ownWaitOf(pause)).toBe(pause);
  });
});

describe("a wait that people are notified of", () => {
  it.each<{ name: string; next: Wait; before: Wait | undefined; expected: boolean }>([
    { name: "none", next: noWait, before: pause, expected: false },
    { name: "one of a new rollout", next: pause, before: undefined, expected: true },
    { name: "one that begins", next: pause, before: noWait, expected: true },
    { name: "one that lasts", next: { ...pause, attention_since: new Date(at) }, before: pause, expected: false },
    { name: "another since", next: { ...pause, attention_since: later }, before: pause, expected: true },
    { name: "another reason", next: { ...pause, attention_reason: "gate" }, before: pause, expected: true },
    { name: "a warning", next: { ...pause, attention_severity: "warning" }, before: pause, expected: false },
    { name: "a critical one", next: { ...pause, attention_severity: "critical" }, before: pause, expected: true },
    { name: "a finding", next: finding, before: noWait, expected: false },
    { name: "its own after a finding", next: pause, before: finding, expected: true },
  ])("is $name: $expected", ({ next, before, expected }) => {
    expect(isBegun(next, before)).toBe(expected);
  });
});
