import { isKnownPhase } from "#lib/domain/flagger/objects/canary-object.ts";
import type { HookAnswer, HookReason } from "./hook-answer.ts";
import { type HookPayload, type HookType, isGate, parseEventPayload, parseHookPayload } from "./hook-payload.ts";
import { type GateFacts, judgeGate } from "./judge-gate.ts";

export type HookRequest = {
  type: HookType;
  method: string;
  body: { kind: "json"; value: unknown } | { kind: "not_json" } | { kind: "too_large" };
};

/** Whether the caller may call here: its credential, and the cluster and namespaces that it is for. */
export type HookAccess = "granted" | "bad_credential" | "rate_limited" | "out_of_scope" | "unknown_cluster";

/** The facts gathered in time. Without the store, neither the caller nor the canary is known. */
export type HookWorld =
  | { kind: "unknown"; why: "store_unavailable" | "timeout" }
  | { kind: "known"; access: Exclude<HookAccess, "granted"> }
  | { kind: "known"; access: "granted"; gate?: Omit<GateFacts, "gate" | "payload">; event?: Omit<EventFacts, "phase"> };

/**
 * Answers a hook call of Flagger. Only a person's decision makes a gate pass; doubt refuses. Refusals are 403, which
 * Flagger does not retry: never 5xx, 429 or 204, and never a redirect.
 */
export function decideHook({ request, world }: { request: HookRequest; world: HookWorld }): HookAnswer {
  const { type } = request;
  const checked = checkRequest(request);
  if (!checked.ok) return checked.answer;
  const { payload } = checked;
  if (world.kind === "unknown") return answerUnknown(type, { phase: payload.phase, why: world.why });
  if (world.access !== "granted") return refuseAccess(type, world.access);
  if (isGate(type)) {
    if (world.gate === undefined) return deny({ type, status: 403, reason: "store_unavailable" });
    return judgeGate({ ...world.gate, gate: type, payload });
  }
  if (type !== "event") return judgeObserved(type, payload.phase);
  if (world.event === undefined) return deny({ type, status: 403, reason: "store_unavailable" });
  return judgeEvent({ ...world.event, phase: payload.phase });
}

export type CheckedRequest = { ok: true; payload: HookPayload } | { ok: false; answer: HookAnswer };

/** Runs the checks that do not need the store. */
export function checkRequest({ type, method, body }: HookRequest): CheckedRequest {
  if (method !== "POST") return { ok: false, answer: deny({ type, status: 405, reason: "method_not_allowed" }) };
  if (body.kind === "too_large") return { ok: false, answer: deny({ type, status: 413, reason: "payload_too_large" }) };
  const parse = type === "event" ? parseEventPayload : parseHookPayload;
  const payload = body.kind === "json" ? parse(body.value) : undefined;
  if (payload === undefined) return { ok: false, answer: deny({ type, status: 400, reason: "bad_payload" }) };
  return { ok: true, payload };
}

/** If we are down, that must not count as a failed check: hooks that only report pass. */
function answerUnknown(type: HookType, { phase, why }: { phase: string; why: HookReason }): HookAnswer {
  return isGate(type) || type === "event" ? deny({ type, status: 403, reason: why }) : judgeObserved(type, phase);
}

function refuseAccess(type: HookType, access: Exclude<HookAccess, "granted">): HookAnswer {
  return deny({ type, status: access === "bad_credential" ? 401 : 403, reason: access });
}

/** Refuses; at `rollback` a refusal reads `no_rollback`. */
function deny({
  type,
  status,
  reason,
}: {
  type: HookType;
  status: 400 | 401 | 403 | 405 | 413;
  reason: HookReason;
}): HookAnswer {
  return { httpStatus: status, decision: type === "rollback" ? "no_rollback" : "deny", reason };
}

/** Differences of the two clocks below this are not told. */
const skewToleranceMs = 60_000;

type EventFacts = {
  phase: string;
  /** The same message was stored before. */
  isDuplicate: boolean;
  isKnownCanary: boolean;
  /** The controller's clock ahead of ours. */
  skewMs: number;
};

/** Answers an event that has been stored. */
export function judgeEvent({ phase, isDuplicate, isKnownCanary, skewMs }: EventFacts): HookAnswer {
  if (isDuplicate) return { httpStatus: 202, decision: "duplicate", reason: "same_name_message_timestamp" };
  return { httpStatus: 202, decision: "recorded", reason: explainEvent({ phase, isKnownCanary, skewMs }) };
}

/** Returns whether a message's own time cannot be compared with ours. */
function isSkewed(skewMs: number): boolean {
  return Math.abs(skewMs) > skewToleranceMs;
}

function explainEvent({ phase, isKnownCanary, skewMs }: Omit<EventFacts, "isDuplicate">): HookReason {
  if (!isKnownCanary) return "unknown_canary";
  if (!isKnownPhase(phase)) return "unknown_phase_kept_verbatim";
  if (isSkewed(skewMs)) return skewMs > 0 ? "source_clock_ahead" : "source_clock_behind";
  return "new";
}

/** Answers `pre-rollout`, `rollout` and `post-rollout`, whose 200 advances nothing that would not advance anyway. */
function judgeObserved(type: HookType, phase: string): HookAnswer {
  return { httpStatus: 200, decision: "recorded", reason: explainObserved(type, phase) };
}

function explainObserved(type: HookType, phase: string): HookReason {
  if (type === "post-rollout" && phase === "Succeeded") return "run_closed_succeeded";
  if (type === "post-rollout" && phase === "Failed") return "run_closed_failed";
  return "observe_only";
}
