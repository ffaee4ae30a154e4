import { describe, expect, it } from "vitest";
import { type ClaimVerdict, judgeClaim, judgeSnooze } from "./judge-handling.ts";

describe("judgeClaim", () => {
  const held = { id: "1", by: "issuer|ann", byName: "Ann" };

  it.each<{ name: string; input: Parameters<typeof judgeClaim>[0]; verdict: ClaimVerdict }>([
    { name: "nobody is on it", input: { held: undefined, by: "me", takesOver: undefined }, verdict: { kind: "claim" } },
    {
      name: "the claim to take over has ended",
      input: { held: undefined, by: "me", takesOver: "1" },
      verdict: { kind: "claim" },
    },
    { name: "it is one's own", input: { held, by: held.by, takesOver: undefined }, verdict: { kind: "extend" } },
    {
      name: "somebody else is on it",
      input: { held, by: "me", takesOver: undefined },
      verdict: { kind: "held", by: held },
    },
    { name: "it is named", input: { held, by: "me", takesOver: "1" }, verdict: { kind: "take-over", from: held } },
    { name: "an earlier one is named", input: { held, by: "me", takesOver: "0" }, verdict: { kind: "held", by: held } },
  ])("when $name", ({ input, verdict }) => {
    expect(judgeClaim(input)).toEqual(verdict);
  });
});

describe("judgeSnooze", () => {
  const now = new Date("2026-11-20T10:00:00Z");
  type Input = Parameters<typeof judgeSnooze>[0];
  const pause = { reason: "pause", severity: "info" } as const;
  const inconclusive = { reason: "inconclusive", severity: "warning" } as const;
  const critical = { reason: "degraded", severity: "critical" } as const;

  it.each<{
    name: string;
    attention?: Input["attention"];
    until: string | undefined;
    maxHours?: number;
    answer: string;
  }>([
    { name: "until a change", until: undefined, answer: "ok" },
    { name: "Inconclusive, until a change", attention: inconclusive, until: undefined, answer: "not_allowed_now" },
    { name: "critical, until a change", attention: critical, until: undefined, answer: "not_allowed_now" },
    { name: "Inconclusive, for an hour", attention: inconclusive, until: "2026-11-20T11:00:00Z", answer: "ok" },
    { name: "critical, for an hour", attention: critical, until: "2026-11-20T11:00:00Z", answer: "ok" },
    { name: "until now", until: "2026-11-20T10:00:00Z", answer: "invalid_request" },
    { name: "until the past", until: "2026-11-20T09:00:00Z", answer: "invalid_request" },
    { name: "up to the limit", until: "2026-11-21T10:00:00Z", answer: "ok" },
    { name: "beyond the limit", until: "2026-11-21T10:00:00.001Z", answer: "invalid_request" },
    { name: "beyond a short limit", until: "2026-11-20T11:00:01Z", maxHours: 1, answer: "invalid_request" },
  ])("$name: $answer", ({ attention = pause, until, maxHours = 24, answer }) => {
    const verdict = judgeSnooze({ attention, until: until === undefined ? undefined : new Date(until), now, maxHours });
    expect(verdict.ok ? "ok" : verdict.code).toBe(answer);
  });
});
