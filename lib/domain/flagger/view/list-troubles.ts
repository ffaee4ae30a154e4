import type { Trouble } from "#lib/domain/oversight/provider-reports.ts";
import type { Evidence } from "#lib/domain/oversight/rule.ts";
import type { CanaryAssessment } from "./canary-state.ts";
import type { CanaryState } from "./find-state.ts";

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
