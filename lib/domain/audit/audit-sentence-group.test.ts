import { describe, expect, it } from "vitest";
import type { AuditEntry } from "./audit-entry.ts";
import { formatAuditSentence, joinSentence } from "./audit-sentence.ts";

describe("the sentence of a request for many rollouts", () => {
  const sentenceOf = (detail: Record<string, unknown>) => {
    const group: AuditEntry = {
      seq: 1,
      time: "2026-11-20T10:00:00.000000Z",
      actor: { type: "user", name: "Oncall" },
      source: "gatehouse",
      code: "action.group",
      outcome: "intent",
      requestId: "r",
      detail,
    };
    return joinSentence(formatAuditSentence(group));
  };
  const detail = { action: "abort", of: "v2.31.0", members: 14 };

  it.each([
    [detail, 'Oncall asked to abort 14 of "v2.31.0", 0 done'],
    [{ ...detail, done: 14, open: 0 }, 'Oncall aborted 14 of 14 of "v2.31.0"'],
    [
      { ...detail, done: 10, open: 0, idle: 3, partial: 1 },
      'Oncall aborted 10 of 14 of "v2.31.0", no known effect in 3, partly in 1',
    ],
    [{ ...detail, of: undefined, done: 1, open: 0 }, "Oncall aborted 1 of 14 rollouts"],
    [
      { ...detail, of: 'v1", approved by\n"admin', done: 14, open: 0 },
      "Oncall aborted 14 of 14 of \"v1', approved by 'admin\"",
    ],
  ])("counts what is known: %j", (given, text) => {
    expect(sentenceOf(given)).toBe(text);
  });
});

it("names the scope of a freeze", () => {
  const freeze: AuditEntry = {
    ...{ seq: 1, time: "2026-11-20T10:00:00.000000Z", source: "gatehouse", requestId: "r" },
    ...{ code: "freeze.create", actor: { type: "user", name: "Oncall" } },
    detail: { clusters: ["*"], namespaces: ["search"], rollouts: ["query-api"] },
  };
  expect(joinSentence(formatAuditSentence(freeze))).toBe("Oncall froze rollouts in search/query-api of every cluster");
});
