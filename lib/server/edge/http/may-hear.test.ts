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
const narrowedToName: Rights = { ...all, tokenGrants: checkout.grants };
const nothing: Rights = { grants: [], cap: "admin" };

type Place = [cluster: string | null, namespace: string | null, name: string | null];

describe("mayHear", () => {
  it.each<[ChangeEvent["kind"], Place, Rights[]]>([
    ...(
      [
        ...["rollout", "rollout-pods", "rollout-events", "analysis-run", "release", "experiment"],
        ...["action", "approval", "audit", "notification"],
      ] as ChangeEvent["kind"][]
    ).flatMap((kind): [ChangeEvent["kind"], Place, Rights[]][] => [
      [kind, ["demo", "payments", "checkout"], [all, payments, checkout, narrowed, narrowedToName]],
      [kind, ["demo", "payments", "cart"], [all, payments, narrowed]],
      [kind, ["demo", "other", "checkout"], [all]],
      // Its owner is not known yet.
      [kind, ["demo", "payments", null], [all, payments, narrowed]],
      [kind, ["demo", "payments", ""], [all, payments, narrowed]],
      [kind, [null, null, null], [all]],
    ]),
    ["template", ["demo", "payments", null], [all, payments, checkout, narrowed, narrowedToName]],
    ["template", ["demo", "", null], [all]],
    ["source", ["demo", "", null], [all, payments, checkout, narrowed, narrowedToName]],
  ])("%s at %j", (kind, [cluster, namespace, name], hearers) => {
    const place = { cluster, namespace, kind: name === null ? null : "Rollout", name };
    const change = { event: { kind, id: "any", op: "upsert" as const }, place };
    const readers = [all, payments, checkout, narrowed, narrowedToName, nothing];
    expect(readers.filter((rights) => mayHear(rights, change))).toEqual(hearers);
  });

  it.each([
    { kind: "Canary", heard: true },
    { kind: "Rollout", heard: false },
    { kind: null, heard: false },
  ])("a rollout of kind $kind, by somebody who may read Canaries: $heard", ({ kind, heard }) => {
    const place = { cluster: "demo", namespace: "payments", kind, name: "checkout" };
    const change = { event: { kind: "rollout", id: "any", op: "upsert" }, place } as const;
    expect(mayHear(rightsOf({ rollouts: ["Canary/*"] }), change)).toBe(heard);
  });
});
