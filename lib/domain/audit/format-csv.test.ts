import { expect, it } from "vitest";
import type { AuditEntry } from "./audit-entry.ts";
import { csvHeader, formatCsvLine } from "./format-csv.ts";

const entry: AuditEntry = {
  seq: 7,
  time: "2026-11-20T10:00:00.000000Z",
  actor: { type: "token", name: "oncall", issuer: "https://id.example", subject: "s", token: { id: "t", name: "ci" } },
  source: "gatehouse",
  code: "action.abort",
  action: "abort",
  target: { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout" },
  outcome: "applied",
  requestId: "r",
};

it("writes one cell for each column", () => {
  expect(formatCsvLine(entry, "abc")).toBe(
    "7,2026-11-20T10:00:00.000000Z,gatehouse,action.abort,applied,token,oncall,https://id.example,s,ci," +
      "prod-eu,payments,Rollout,checkout,abort,,abc",
  );
  expect(formatCsvLine(entry, "abc").split(",")).toHaveLength(csvHeader.split(",").length);
});

it.each([
  ['say "no"', '"say ""no"""'],
  ["a, b", '"a, b"'],
  ["two\nlines", '"two\nlines"'],
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@x", "'@x"],
  ["\tx", "'\tx"],
  ["\rx", '"\'\rx"'],
  [" =1", "' =1"],
  ["\u00a0=1", "'\u00a0=1"],
  ["\uff1dHYPERLINK(1)", "'\uff1dHYPERLINK(1)"],
  ["\uff0b1", "'\uff0b1"],
  ["\uff0d1", "'\uff0d1"],
  ["\uff20x", "'\uff20x"],
  ["\ufe621", "'\ufe621"],
  ["\u202e=1", "'\u202e=1"],
  ["\u200b\u2066\ufeff=1", "'\u200b\u2066\ufeff=1"],
  ["\u0000=1", "'\u0000=1"],
  ["\u200bfine", "\u200bfine"],
  ["a=b", "a=b"],
])("writes the reason %j as %j", (reason, cell) => {
  expect(formatCsvLine({ ...entry, reason }, "abc")).toContain(`,abort,${cell},abc`);
});
