import { expect, it } from "vitest";
import { ActionRequest, RolloutActionRequest } from "./action.ts";
import { ApprovalRequest } from "./approval.ts";

const request = { reason: "because", expect: { viewDigest: "d" } };

it.each([
  { action: "undo" },
  { action: "undo", toRevision: 0 },
  { action: "undo", toRevision: 3 },
  { action: "set-image", container: "*", image: "a:1" },
  { action: "restart", at: "2026-11-20T12:00:00Z" },
  { action: "restart", at: "2026-11-20T12:00:00+01:00" },
  { action: "abort" },
])("takes %j", (params) => {
  expect(ActionRequest.safeParse({ ...request, ...params }).success).toBe(true);
  expect(ApprovalRequest.safeParse({ ...request, ...params }).success).toBe(true);
});

it("takes no approval that is no id, and no reason for one that nobody sees", () => {
  const approval = (id: string) => ActionRequest.safeParse({ ...request, action: "abort", approval: id }).success;
  expect([approval("x"), approval(""), approval("0b6f2f0e-7f0c-4d0e-9b59-2f6f5f0f7c11")]).toEqual([false, false, true]);
  const asks = (reason: string) => ApprovalRequest.safeParse({ ...request, action: "abort", reason }).success;
  expect([asks(""), asks(" \n"), asks("\u200b\u3164"), asks("\u200bok")]).toEqual([false, false, false, true]);
});

it.each([
  { params: { action: "abort", toRevision: 1 }, path: "toRevision" },
  { params: { action: "undo", image: "a:1" }, path: "image" },
  { params: { action: "undo", toRevision: -1 }, path: "toRevision" },
  { params: { action: "undo", toRevision: 1.5 }, path: "toRevision" },
  { params: { action: "undo", toRevision: "1" }, path: "toRevision" },
  { params: { action: "set-image", container: "a" }, path: "image" },
  { params: { action: "set-image", image: "a:1" }, path: "container" },
  { params: { action: "set-image", container: "a", image: "x".repeat(513) }, path: "image" },
  { params: { action: "restart", at: "tomorrow" }, path: "at" },
])("refuses $params, at $path", ({ params, path }) => {
  for (const schema of [ActionRequest, ApprovalRequest]) {
    const parsed = schema.safeParse({ ...request, ...params });
    expect(parsed.error?.issues.map((issue) => issue.path.join("."))).toContain(path);
  }
});

it("schedules neither an approval nor the override of a freeze", () => {
  const dueAt = "2026-11-20T09:00:00+01:00";
  const approval = "0b6f2f0e-7f0c-4d0e-9b59-2f6f5f0f7c11";
  const obstacles = (params: object) =>
    RolloutActionRequest.safeParse({ ...request, action: "continue", ...params }).error?.issues.map(
      ({ path, message }) => `${path.join(".")} ${message}`,
    );
  const remedy = "cannot be scheduled: act at that time, or leave out dueAt to act now";
  expect(obstacles({ dueAt })).toBeUndefined();
  expect(obstacles({ approval, breakGlass: true })).toBeUndefined();
  expect(obstacles({ dueAt, approval, breakGlass: true })).toEqual([`breakGlass ${remedy}`, `approval ${remedy}`]);
  expect(obstacles({ dueAt: "09:00" })).toHaveLength(1);
  expect(ActionRequest.safeParse({ ...request, action: "continue", dueAt }).success).toBe(false);
});

it("takes from an agent a reason, and nothing that only people do", () => {
  const paths = (params: object) =>
    RolloutActionRequest.safeParse({ ...request, action: "abort", agent: true, ...params }).error?.issues.map(
      ({ path }) => path.join("."),
    );
  expect(paths({})).toBeUndefined();
  expect(paths({ reason: " \u200b" })).toEqual(["reason"]);
  expect(paths({ reason: undefined })).toEqual(["reason"]);
  const approval = "0b6f2f0e-7f0c-4d0e-9b59-2f6f5f0f7c11";
  expect(paths({ breakGlass: false, approval })).toEqual(["breakGlass", "approval"]);
  expect(paths({ dueAt: "2026-11-20T09:00:00Z" })).toEqual(["dueAt"]);
  expect(paths({ agent: false })).toEqual(["agent"]);
  expect(ActionRequest.safeParse({ ...request, action: "abort", agent: true }).success).toBe(false);
});
