import type { ReportedRelease, ReportedRun, ReportingProvider } from "#lib/domain/delivery/reporting.ts";
import { parseMessage } from "./events/parse-message.ts";
import type { CanaryProjection } from "./history/canary-projection.ts";
import { type RunRules, readRunRules, rulesOf } from "./measuring/analysis-spec.ts";
import { cutRun } from "./measuring/cut-run.ts";
import { type DerivedRun, deriveRun } from "./measuring/measured-run.ts";
import { mergeMessages, type RunMessage } from "./measuring/run-message.ts";
import { parseCanary } from "./objects/canary-object.ts";
import { skipsAnalysis } from "./objects/canary-spec.ts";

export const flaggerReporting: ReportingProvider = { deriveRun: deriveReportedRun };

type Seen = { at: string } & Pick<CanaryProjection, "memory" | "shown">;

const promoting: readonly string[] = ["Promoting", "Finalising"];

/**
 * Derives the analysis of a release from Flagger's messages and metrics. Takes the rules stored when the run had ended,
 * else those of the Canary as it is now. No run: it was not seen running, or its analysis was skipped.
 */
function deriveReportedRun({
  release,
  observations,
  object,
  rules: stored,
  messages,
  samples,
}: ReportedRelease): ReportedRun | undefined {
  const seen = observations.map(({ observedAt, projection }): Seen => {
    // The stored data was made by `observe` of this provider.
    const { memory, shown } = projection as CanaryProjection;
    return { at: observedAt, memory, shown };
  });
  const first = seen.findIndex(({ memory }) => memory.isRunning && memory.runKey === release.runKey);
  const begun = seen[first];
  if (begun === undefined) return undefined;
  const own = seen.slice(first).filter(({ memory }) => memory.runKey === release.runKey);
  const before = seen[first - 1];
  const parsed = parseCanary(object);
  const rules = readRunRules(stored) ?? (parsed.ok ? rulesOf(parsed.value) : undefined);
  if (rules === undefined) return undefined;
  const cut = cutRun(mergeMessages(messages.map(toRunMessage)), {
    since: begun.shown.since === null ? undefined : Date.parse(begun.shown.since),
    seenAt: Date.parse(begun.at),
    isRestart: before?.memory.isRunning === true,
    endSeenAt: release.endedAt === null ? undefined : Date.parse(release.endedAt),
  });
  const run = deriveRun({
    releaseKey: release.runKey,
    spec: rules,
    messages: cut.messages,
    phase: phaseOf(release.state),
    startedAt: cut.begunAt ?? begun.at,
    endedAt: release.endedAt === null ? undefined : (cut.endedAt ?? release.endedAt),
    startWeight: findStartWeight(begun, before),
    peakFailedChecks: Math.max(...own.map(({ memory }) => memory.peakFailedChecks)),
    samples,
    isPromotionSeen: own.some(({ memory }) => promoting.includes(memory.phase)),
  });
  if (parsed.ok && skipsAnalysis(parsed.value) && run.rounds.length === 0) return undefined;
  return toReportedRun(run, { rules, isSilent: cut.messages.length === 0 });
}

function toReportedRun(run: DerivedRun, { rules, isSilent }: { rules: RunRules; isSilent: boolean }): ReportedRun {
  const { phase, message, startedAt, completedAt, metrics, failedChecks } = run;
  const gaps = run.gaps.map(({ afterRound, atLeast }) => ({ afterSeq: afterRound, atLeast }));
  return {
    ...{ phase, message, startedAt, completedAt, rules, metrics },
    gaps: isSilent ? [{ afterSeq: 0, atLeast: failedChecks }] : gaps,
  };
}

function toRunMessage({ at, source, text, count }: ReportedRelease["messages"][number]): RunMessage {
  return { at, source: source === "webhook" ? "webhook" : "event", message: parseMessage(text), count };
}

/** The Canary's phase at the end of the release. */
function phaseOf(state: ReportedRelease["release"]["state"]): string {
  if (state === "promoted") return "Succeeded";
  return state === "aborted" ? "Failed" : "Progressing";
}

/** After a failed promotion the canary keeps all traffic, and is measured at once (advanceCanary in scheduler.go). */
function findStartWeight(begun: Seen, before: Seen | undefined): number {
  return before?.memory.hasFailed === true && begun.memory.lastKnownWeight === 100 ? 100 : 0;
}
