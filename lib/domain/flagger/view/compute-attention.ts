import type { Attention, AttentionReason } from "#lib/domain/delivery/detail.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import type { Trouble } from "#lib/domain/oversight/provider-reports.ts";
import type { Evidence } from "#lib/domain/oversight/rule.ts";
import type { CanaryHistory } from "../history/run-memory.ts";
import type { CanaryAssessment } from "./canary-state.ts";
import type { CanaryState } from "./find-state.ts";

/**
 * Returns why a Canary waits for a person, or undefined if it does not. The wait began when the condition got
 * its reason (MakeStatusConditions in pkg/canary/status.go): `status.lastTransitionTime` moves at each check of a failed
 * Canary. If no time is given, the earlier answer for the same reason is kept, else `now` (ISO 8601) counts.
 */
export function computeCanaryAttention({
  canary,
  assessment,
  history,
  previous,
  now,
}: {
  canary: CanaryObject;
  assessment: Pick<CanaryAssessment, "state" | "severity" | "gate">;
  history?: Pick<CanaryHistory, "stepGateWait"> | undefined;
  previous: Pick<Attention, "reason" | "since"> | undefined;
  now: string;
}): Attention | undefined {
  const reason = findReason(assessment.state);
  if (reason === undefined) return undefined;
  const said = Date.parse(findStart(canary, assessment.state, history) ?? "");
  const kept = previous?.reason === reason ? previous.since : undefined;
  const isCut = assessment.state === "awaiting-step" && history?.stepGateWait?.isCut === true;
  // Of a long wait only the last messages are known.
  const isKnownBefore = isCut && kept !== undefined && Date.parse(kept) < said;
  return {
    reason,
    severity: toSeverity(assessment),
    since: Number.isNaN(said) || isKnownBefore ? (kept ?? now) : new Date(said).toISOString(),
  };
}

function findReason(state: CanaryState): AttentionReason | undefined {
  switch (state) {
    case "awaiting-start":
    case "awaiting-step":
    case "awaiting-promotion":
      return "gate";
    case "promotion-at-risk":
    case "promotion-stuck":
    case "promotion-failed-canary-serving":
    case "promotion-failed-outage":
    case "failed-rolled-back":
    case "failed-revision-not-picked-up":
      return "degraded";
    case "suspended":
      return "pause";
    default:
      return undefined;
  }
}

function toSeverity({ state, severity }: Pick<CanaryAssessment, "state" | "severity">): Attention["severity"] {
  // A failed promotion needs a person at once, even while the canary serves or the primary has recovered.
  const isFailedPromotion = state === "promotion-failed-canary-serving" || state === "promotion-failed-outage";
  if (severity === "critical" || isFailedPromotion) return "critical";
  return severity === "warning" ? "warning" : "info";
}

/** Returns undefined for a suspension: the object does not say when it began. */
function findStart(
  { status }: CanaryObject,
  state: CanaryState,
  history: Pick<CanaryHistory, "stepGateWait"> | undefined,
): string | undefined {
  if (state === "suspended") return undefined;
  if (state === "awaiting-step") return history?.stepGateWait?.at;
  const condition = status.conditions.find(({ type }) => type === "Promoted");
  if (condition === undefined || condition.reason !== status.phase) return undefined;
  // Flagger rewrites the condition only with its reason, and keeps lastTransitionTime if the status word stays the same.
  return condition.lastUpdateTime ?? condition.lastTransitionTime;
}

/** States in which users may be on something else than the status says. */
const troubled: readonly CanaryState[] = [
  "promotion-at-risk",
  "promotion-stuck",
  "promotion-failed-canary-serving",
  "promotion-failed-outage",
  "failed-revision-not-picked-up",
];

/** Returns the promotion's trouble; empty if it has none. `runKey` tells its releases apart. */
export function listTroubles(
  assessment: Pick<
    CanaryAssessment,
    "state" | "severity" | "message" | "trafficOnCanary" | "primary" | "notes" | "advice"
  >,
  { runKey, since }: { runKey: string; since: string | undefined },
): Trouble[] {
  const { state, severity, message, trafficOnCanary, primary, notes, advice } = assessment;
  if (!troubled.includes(state)) return [];
  const evidence: Evidence[] = [
    { label: "Traffic on the canary", value: trafficOnCanary === null ? "not known" : `${trafficOnCanary} %` },
    { label: "Primary", value: primary.why === "" ? primary.kind : `${primary.kind}: ${primary.why}` },
    ...notes.map((value): Evidence => ({ label: "Note", value })),
  ];
  return [
    {
      key: `${runKey} ${state}`,
      severity: severity === "critical" ? "critical" : "warning",
      title: message.replace(/\.$/, ""),
      since,
      evidence,
      advice: advice.length === 0 ? undefined : advice.join(" "),
    },
  ];
}
