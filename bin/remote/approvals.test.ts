import { expect, it } from "vitest";
import { Approval } from "#lib/contract/approval.ts";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { formatRequests } from "./approvals.ts";

const [example] = answers.listApprovals.items;
const request = Approval.parse(example);
const now = Date.parse(request.expiresAt) - 20 * 60_000;

it("shows how far each request for approval has got, and who can still approve it", () => {
  const [, title, heads, row] = formatRequests([request], now).split("\n");
  expect(title).toBe("Requests for approval:");
  expect(heads?.split(/ {2,}/)).toEqual([
    ...["ROLLOUT", "REQUEST", "BY", "APPROVED", "CAN STILL APPROVE", "EXPIRES IN", "ID"],
  ]);
  expect(row?.split(/ {2,}/)).toEqual([
    ...["payments/checkout", "promote-full", "checkout", "1 of 2: releaser", "sre", "20 min", request.id],
  ]);
});

it("names the agent of a proposal, and for whom it asks", () => {
  expect(formatRequests([{ ...request, agent: { name: "bot" }, rules: [] }], now)).toContain("agent bot for checkout");
});

it("shows no control characters of a name, and nothing without requests", () => {
  expect(formatRequests([{ ...request, requestedBy: "oncall\u001b[2J" }], now)).toContain("oncall\ufffd[2J");
  expect(formatRequests([], now)).toBe("");
});
