import { describe, expect, it } from "vitest";
import type { ChangeEvent } from "#lib/contract/system.ts";
import { everywhere, type Rights, type Scope } from "#lib/domain/policy/rights.ts";
import { mayHear } from "./may-hear.ts";

const rightsOf = (...scopes: Partial<Scope>[]): Rights => ({
  grants: scopes.map((scope) => ({
    role: "viewer",
    scope: { ...everywhere, ...scope },
    actions: ["*"],
    breakGlass: false,
  })),
  cap: "admin",
});
const all = rightsOf({});
const payments = rightsOf({ namespaces: ["payments"] });
const checkout = rightsOf({ namespaces: ["payments"], rollouts: ["checkout"] });
const narrowed: Rights = { ...all, tokenGrants: payments.grants };
const nothing: Rights = { grants: [], cap: "admin" };

describe("mayHear", () => {
  it.each<[ChangeEvent["kind"], string, [string | null, string | null], Rights[]]>([
    ["rollout", "demo/payments/Rollout/checkout", ["demo", "payments"], [all, payments, checkout, narrowed]],
    ["rollout", "demo/payments/Rollout/cart", ["demo", "payments"], [all, payments, narrowed]],
    ["rollout-pods", "demo/payments/Rollout/checkout", ["demo", "payments"], [all, payments, checkout, narrowed]],
    ["rollout-events", "demo/other/Rollout/checkout", ["demo", "other"], [all]],
    ["analysis-run", "uid", ["demo", "payments"], [all, payments, narrowed]],
    ["release", "uid", ["demo", "other"], [all]],
    ["action", "uid", ["demo", "payments"], [all, payments, narrowed]],
    ["approval", "uid", ["demo", "payments"], [all, payments, narrowed]],
    ["template", "demo/payments/AnalysisTemplate/a", ["demo", "payments"], [all, payments, checkout, narrowed]],
    ["template", "demo//ClusterAnalysisTemplate/a", ["demo", ""], [all]],
    ["source", "demo/rollouts", ["demo", ""], [all, payments, checkout, narrowed]],
    ["audit", "7", ["demo", "payments"], [all, payments, narrowed]],
    ["audit", "7", [null, null], [all]],
  ])("%s %s", (kind, id, [cluster, namespace], hearers) => {
    const change = { event: { kind, id, op: "upsert" as const }, place: { cluster, namespace } };
    const readers = [all, payments, checkout, narrowed, nothing];
    expect(readers.filter((rights) => mayHear(rights, change))).toEqual(hearers);
  });
});
