import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type GateDecision, type GateName, gateNames } from "#lib/domain/delivery/gate-decision.ts";
import { decideHook, type HookWorld } from "./decide-hook.ts";
import type { HookType } from "./hook-payload.ts";
import type { GateFacts } from "./judge-gate.ts";
import type { WatchedCanary } from "./watched-canary.ts";

const Decided = z.object({
  gate: z.enum(gateNames),
  decision: z.enum(["approve", "reject"]),
  checksum: z.string().optional(),
  templateHash: z.string().optional(),
  upToWeight: z.number().optional(),
  timesServed: z.number().optional(),
});
const Case = z.object({
  id: z.string(),
  hookType: z.string(),
  request: z.object({ method: z.string(), auth: z.enum(["ok", "missing", "wrong"]), body: z.unknown() }),
  context: z.object({
    canary: z.object({
      uid: z.string(),
      phase: z.string(),
      checksum: z.string(),
      canaryWeight: z.number(),
      targetTemplateHash: z.string(),
      sourceFresh: z.boolean(),
      known: z.boolean().optional(),
    }),
    approvals: z.array(Decided).optional(),
    aborts: z.array(z.object({ checksum: z.string(), active: z.boolean() })).optional(),
    store: z.literal("unavailable").optional(),
    tokenScope: z.string().optional(),
    seen: z.boolean().optional(),
    clockSkewSeconds: z.number().optional(),
    maxWeight: z.number().optional(),
  }),
  expect: z.object({ httpStatus: z.number(), decision: z.string(), reason: z.string() }),
});
type Case = z.infer<typeof Case>;

const file = join(import.meta.dirname, "../../../../test/fixtures/conformance/flagger-cases.json");
const cases = z.object({ webhookRequests: z.array(Case) }).parse(JSON.parse(readFileSync(file, "utf8")));

function decisionsOf({ context: { approvals = [], aborts = [] } }: Case): GateDecision[] {
  const base = { uid: "u1", isExpired: false, isFrozen: false };
  return [
    ...approvals.map(({ gate, decision, ...bound }, index): GateDecision => {
      const verdict = decision === "approve" ? "approve" : "hold";
      return { ...base, id: `a${index}`, gate, verdict, bound, isVoided: false };
    }),
    ...aborts.map(({ checksum, active }, index): GateDecision => {
      const bound = { checksum };
      return { ...base, id: `r${index}`, gate: "rollback", verdict: "rollback", bound, isVoided: !active };
    }),
  ];
}

function worldOf(given: Case): HookWorld {
  const { context, request } = given;
  if (context.store === "unavailable") return { kind: "unknown", why: "store_unavailable" };
  if (request.auth !== "ok") return { kind: "known", access: "bad_credential" };
  const { namespace } = z.looseObject({ namespace: z.string().optional() }).catch({}).parse(request.body);
  if (context.tokenScope !== undefined && context.tokenScope.split("/")[0] !== namespace)
    return { kind: "known", access: "out_of_scope" };
  const { uid, phase, checksum, canaryWeight, targetTemplateHash, sourceFresh, known = true } = context.canary;
  const canary = {
    uid,
    phase,
    checksum,
    weight: canaryWeight,
    nextWeight: undefined,
    target: { kind: "Deployment", name: "podinfo" },
  };
  return {
    kind: "known",
    access: "granted",
    gate: {
      canary: known ? canary : undefined,
      isViewFresh: sourceFresh,
      isQuarantined: false,
      hasConfigError: false,
      allowsNoChecksum: false,
      templateHash: targetTemplateHash,
      decisions: decisionsOf(given),
    },
    event: {
      isDuplicate: context.seen === true,
      isKnownCanary: known,
      skewMs: (context.clockSkewSeconds ?? 0) * 1000,
    },
  };
}

describe("webhookRequests", () => {
  it.each(cases.webhookRequests)("$id: $hookType is answered with $expect.reason", (given) => {
    const { method, body } = given.request;
    const { httpStatus, decision, reason } = given.expect;
    const type = given.hookType as HookType;
    const answer = decideHook({
      request: { type, method, body: { kind: "json", value: body } },
      world: worldOf(given),
    });
    expect(answer).toMatchObject({ httpStatus, decision, reason });
  });
});

const canary: WatchedCanary = {
  uid: "u1",
  phase: "Progressing",
  checksum: "c1",
  weight: 20,
  nextWeight: 40,
  target: { kind: "Deployment", name: "app" },
};
const facts: Omit<GateFacts, "gate" | "payload"> = {
  canary,
  isViewFresh: true,
  isQuarantined: false,
  hasConfigError: false,
  allowsNoChecksum: false,
  templateHash: "t1",
  decisions: [],
};
let nextId = 0;
const decided = (gate: GateName, changes: Partial<GateDecision> = {}): GateDecision => ({
  id: `d${nextId++}`,
  gate,
  uid: "u1",
  verdict: gate === "rollback" ? "rollback" : "approve",
  bound: { checksum: "c1", templateHash: "t1", upToWeight: 100 },
  isExpired: false,
  isVoided: false,
  isFrozen: false,
  ...changes,
});
const allApproved = gateNames.map((gate) => decided(gate));
const approvedWithoutAbort = allApproved.filter(({ gate }) => gate !== "rollback");

function ask(gate: HookType, { payload = {}, ...changes }: Partial<typeof facts> & { payload?: object } = {}) {
  const value = { name: "app", namespace: "shop", phase: "Progressing", checksum: "c1", ...payload };
  const { httpStatus, reason } = decideHook({
    request: { type: gate, method: "POST", body: { kind: "json", value } },
    world: { kind: "known", access: "granted", gate: { ...facts, ...changes }, event: undefined as never },
  });
  return `${httpStatus} ${reason}`;
}

describe("a gate", () => {
  it.each(["confirm-rollout", "confirm-traffic-increase", "confirm-promotion"] as const)(
    "%s passes once approved",
    (gate) => {
      expect(ask(gate, { decisions: approvedWithoutAbort })).toBe("200 approved");
      expect(ask(gate)).toBe("403 not_approved");
    },
  );

  type Doubt = [string, Parameters<typeof ask>[1], string, string?];
  const doubts: Doubt[] = [
    ["an unusable config", { hasConfigError: true }, "config_error", "200 abort_requested"],
    ["a canary in quarantine", { isQuarantined: true }, "object_unreadable"],
    ["a canary that nobody has seen", { canary: undefined }, "unknown_canary"],
    ["a stale view", { isViewFresh: false }, "cluster_view_stale"],
    ["an unknown phase in the view", { canary: { ...canary, phase: "Dancing" } }, "unknown_phase"],
    ["an unknown phase in the call", { payload: { phase: "WaitingTrafficIncrease" } }, "unknown_phase"],
    ["another checksum than the view's", { payload: { checksum: "c2" } }, "checksum_mismatch"],
    ["a view whose checksum is redacted", { canary: { ...canary, checksum: undefined } }, "checksum_mismatch"],
    ["no checksum", { payload: { checksum: undefined } }, "no_checksum"],
    ["an empty checksum", { payload: { checksum: "" } }, "no_checksum"],
  ];
  it.each(doubts)("refuses with %s, although all is approved", (_, changes, reason, atRollback) => {
    for (const gate of gateNames) {
      const decisions = gate === "rollback" ? allApproved : approvedWithoutAbort;
      const expected = gate === "rollback" && atRollback !== undefined ? atRollback : `403 ${reason}`;
      expect(ask(gate, { decisions, ...changes })).toBe(expected);
    }
  });

  it.each(["", "Initialized", "Waiting", "Promoting", "Finalising", "Succeeded", "Failed", "Terminating"])(
    "of a run refuses in phase %j",
    (phase) => {
      for (const gate of ["confirm-traffic-increase", "confirm-promotion", "rollback"] as const)
        expect(ask(gate, { decisions: allApproved, canary: { ...canary, phase } })).toBe("403 run_not_in_progress");
    },
  );

  const over: [string, Partial<GateDecision>, string, string][] = [
    ["expired", { isExpired: true }, "approval_expired", "no_abort_requested"],
    ["voided", { isVoided: true }, "not_approved", "no_abort_requested"],
    ["a hold", { verdict: "hold" }, "rejected", "no_abort_requested"],
    ["a hold that has expired", { verdict: "hold", isExpired: true }, "not_approved", "no_abort_requested"],
    ["a hold that was withdrawn", { verdict: "hold", isVoided: true }, "not_approved", "no_abort_requested"],
  ];
  it.each(over)("goes by the newest decision, which is %s", (_, changes, reason, atRollback) => {
    for (const gate of gateNames) {
      const decisions = [decided(gate, changes), decided(gate)];
      expect(ask(gate, { decisions })).toBe(`403 ${gate === "rollback" ? atRollback : reason}`);
    }
  });

  it("stays closed in a freeze that the approval did not override, and still rolls back", () => {
    const frozen = (gate: GateName) => decided(gate, { isFrozen: true });
    for (const gate of ["confirm-rollout", "confirm-traffic-increase", "confirm-promotion"] as const)
      expect(ask(gate, { decisions: [frozen(gate)] })).toBe("403 frozen");
    expect(ask("rollback", { decisions: [frozen("rollback")] })).toBe("200 abort_requested");
  });

  it("does not take the verdict of another kind of gate", () => {
    expect(ask("rollback", { decisions: [decided("rollback", { verdict: "approve" })] })).toBe(
      "403 no_abort_requested",
    );
    expect(ask("confirm-promotion", { decisions: [decided("confirm-promotion", { verdict: "rollback" })] })).toBe(
      "403 not_approved",
    );
    const others = gateNames.filter((gate) => gate !== "confirm-promotion").map((gate) => decided(gate));
    expect(ask("confirm-promotion", { decisions: others })).toBe("403 not_approved");
  });

  it.each([
    ["another checksum", { checksum: "c2", templateHash: "t2", upToWeight: 100 }],
    ["nothing", {}],
  ])("refuses an approval that is bound to %s", (_, bound) => {
    for (const gate of gateNames) {
      const reason = gate === "rollback" ? "abort_is_for_another_run" : "revision_changed_since_approval";
      expect(ask(gate, { decisions: [decided(gate, { bound })] })).toBe(`403 ${reason}`);
    }
  });

  it("of a start needs the live pod template", () => {
    const decisions = [decided("confirm-rollout", { bound: { checksum: "c1" } })];
    expect(ask("confirm-rollout", { decisions, templateHash: undefined })).toBe("403 revision_changed_since_approval");
  });

  it("stays closed by a hold that is bound to nothing", () => {
    for (const gate of gateNames) {
      const decisions = [decided(gate, { verdict: "hold", bound: {} }), decided(gate)];
      expect(ask(gate, { decisions })).toBe(`403 ${gate === "rollback" ? "no_abort_requested" : "rejected"}`);
    }
  });

  it("does not pass for a canary that was created again", () => {
    const decisions = gateNames.map((gate) => decided(gate, { uid: "u0" }));
    for (const gate of gateNames)
      expect(ask(gate, { decisions })).toBe(
        `403 ${gate === "rollback" ? "abort_is_for_another_run" : "canary_recreated"}`,
      );
  });

  it("closes once a rollback is asked for", () => {
    expect(ask("confirm-promotion", { decisions: allApproved })).toBe("403 rollback_requested");
    expect(ask("rollback", { decisions: allApproved })).toBe("200 abort_requested");
    const ofBefore = decided("rollback", { bound: { checksum: "c0" } });
    expect(ask("confirm-promotion", { decisions: [ofBefore, ...approvedWithoutAbort] })).toBe("200 approved");
  });

  const steps: [number, number | undefined, number | undefined, string][] = [
    [20, 40, 40, "200 approved"],
    [20, 40, 39, "403 step_not_approved"],
    [20, 40, 20, "403 step_not_approved"],
    [20, 40, 0, "403 step_not_approved"],
    [0, 20, 20, "200 approved"],
    [60, undefined, 60, "403 step_not_approved"],
    [60, undefined, 100, "200 approved"],
    [100, undefined, 100, "200 approved"],
    [100, undefined, 99, "403 step_not_approved"],
    [20, 40, undefined, "403 step_not_approved"],
  ];
  it.each(steps)("at weight %s before %s, approved up to %s: %s", (weight, nextWeight, upToWeight, expected) => {
    const decisions = [decided("confirm-traffic-increase", { bound: { checksum: "c1", upToWeight } })];
    expect(ask("confirm-traffic-increase", { decisions, canary: { ...canary, weight, nextWeight } })).toBe(expected);
  });

  it("without a checksum goes by the live template, if the config says so", () => {
    const payload = { checksum: undefined };
    const asked = (changes: Partial<typeof facts>, bound: GateDecision["bound"]) =>
      ask("confirm-promotion", {
        payload,
        allowsNoChecksum: true,
        decisions: [decided("confirm-promotion", { bound })],
        ...changes,
      });
    expect(asked({}, { checksum: "c1", templateHash: "t1" })).toBe("200 approved");
    expect(asked({}, { checksum: "c1" })).toBe("403 revision_changed_since_approval");
    expect(asked({ templateHash: "t2" }, { checksum: "c1", templateHash: "t1" })).toBe(
      "403 revision_changed_since_approval",
    );
    expect(asked({ templateHash: undefined }, { checksum: "c1" })).toBe("403 revision_changed_since_approval");
    expect(asked({ canary: { ...canary, checksum: undefined } }, { templateHash: "t1" })).toBe(
      "403 revision_changed_since_approval",
    );
  });
});

describe("a call whose world is unknown", () => {
  const post = (type: HookType, world: HookWorld) => {
    const metadata = { eventMessage: "m", eventType: "Normal", timestamp: "1785412800123" };
    const value = { name: "app", namespace: "shop", phase: "Progressing", checksum: "c1", metadata };
    const answer = decideHook({ request: { type, method: "POST", body: { kind: "json", value } }, world });
    return `${answer.httpStatus} ${answer.reason}`;
  };

  it.each(["store_unavailable", "timeout"] as const)("is refused with %s, unless the hook only reports", (why) => {
    for (const type of [...gateNames, "event"] as const)
      expect(post(type, { kind: "unknown", why })).toBe(`403 ${why}`);
    for (const type of ["pre-rollout", "rollout", "post-rollout"] as const)
      expect(post(type, { kind: "unknown", why })).toBe("200 observe_only");
  });

  it("is refused if nothing was read", () => {
    for (const type of [...gateNames, "event"] as const)
      expect(post(type, { kind: "known", access: "granted" })).toBe("403 store_unavailable");
  });

  it.each([
    ["bad_credential", "401"],
    ["out_of_scope", "403"],
    ["unknown_cluster", "403"],
    ["rate_limited", "403"],
  ] as const)("is refused with %s, whatever its type", (access, status) => {
    for (const type of [...gateNames, "event", "pre-rollout", "rollout", "post-rollout"] as const)
      expect(post(type, { kind: "known", access })).toBe(`${status} ${access}`);
  });
});

describe("a request", () => {
  const world: HookWorld = { kind: "known", access: "bad_credential" };
  it.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])("by %s is refused", (method) => {
    const { httpStatus } = decideHook({ request: { type: "rollback", method, body: { kind: "not_json" } }, world });
    expect(httpStatus).toBe(405);
  });

  const metadata = { eventMessage: "m", eventType: "Normal", timestamp: "1785412800123" };
  const bodies: [string, HookType, unknown][] = [
    ["null", "rollback", null],
    ["a list", "rollback", []],
    ["a text", "rollback", "podinfo"],
    ["no name", "rollback", { namespace: "shop" }],
    ["a name that no object has", "rollback", { name: "app\0", namespace: "shop" }],
    ["a name of two lines", "rollback", { name: "app\n", namespace: "shop" }],
    ["an empty name", "rollback", { name: "", namespace: "shop" }],
    ["a number as namespace", "rollback", { name: "app", namespace: 7 }],
    ["a list as checksum", "rollback", { name: "app", namespace: "shop", checksum: ["c1"] }],
    ["an event without metadata", "event", { name: "app", namespace: "shop" }],
    [
      "an event without a message",
      "event",
      { name: "app", namespace: "shop", metadata: { ...metadata, eventMessage: "" } },
    ],
    [
      "an event with another time",
      "event",
      { name: "app", namespace: "shop", metadata: { ...metadata, timestamp: "now" } },
    ],
    [
      "an event with a number as time",
      "event",
      { name: "app", namespace: "shop", metadata: { ...metadata, timestamp: 7 } },
    ],
  ];
  it.each(bodies)("with %s is refused", (_, type, value) => {
    const answer = decideHook({ request: { type, method: "POST", body: { kind: "json", value } }, world });
    expect(answer).toMatchObject({ httpStatus: 400, reason: "bad_payload" });
  });

  it("that is not JSON, or too large, is refused", () => {
    const send = (kind: "not_json" | "too_large") =>
      decideHook({ request: { type: "event", method: "POST", body: { kind } }, world }).httpStatus;
    expect([send("not_json"), send("too_large")]).toEqual([400, 413]);
  });
});
