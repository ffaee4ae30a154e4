import type { Policies } from "#lib/domain/policy/decide.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";

export const none: Policies = { reasons: [], freezes: [], secondPerson: [] };
export const target = { cluster: "c", namespace: "payments", kind: "Rollout", name: "checkout" };
export const advance = { name: "continue", protective: false, reasonRequired: true };

export const weekend = {
  ...{ name: "weekend", scope: everywhere, actions: ["*"], includeProtective: false },
  ...{ start: "0 18 * * 5", timeZone: "UTC", durationMinutes: 62 * 60 },
};
export const weekdays = { ...weekend, name: "weekdays", start: "0 9 * * 1-5", durationMinutes: 480, outside: true };
export const saturdays = { ...weekdays, name: "saturdays", start: "0 9 * * 6" };
export const two = {
  ...{ name: "two", scope: everywhere, actions: ["continue"], includeProtective: false },
  ...{ robotsMayAsk: false, expireMinutes: 60, approvers: 1, groups: [] },
};
