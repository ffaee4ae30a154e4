import type { ViewChange } from "#lib/contract/problem.ts";
import { wordMessage } from "#lib/domain/controller-words.ts";
import { formatList } from "#lib/util/words.ts";

export type ChangeRow = {
  field: string;
  what: string;
  seen: string;
  now: string;
  /** The values as the cluster reports them, for a tooltip. */
  title: string;
};

type Names = {
  /** Returns the version of a pod hash. */
  versionOf: (hash: string) => string;
  stepCount: number;
};

type Words = { what: string; say: (value: unknown, names: Names) => string };

const yesNo = (value: unknown): string => (value === true ? "yes" : "no");
const version = (value: unknown, { versionOf }: Names): string =>
  typeof value === "string" && value !== "" ? versionOf(value) : "none";
const run: Words["say"] = (value) => (isRun(value) ? (value.phase === "" ? "Pending" : value.phase) : "none");
const changed = (what: string): Words => ({ what, say: () => "changed" });

const words: Readonly<Record<string, Words>> = {
  "metadata.uid": { what: "The rollout itself", say: () => "deleted and created again" },
  "status.currentPodHash": { what: "New version", say: version },
  "status.abort": { what: "Aborted", say: yesNo },
  "status.currentStepIndex": { what: "Step", say: sayStep },
  "status.pauseConditions": { what: "Held by", say: sayPauses },
  "status.canary.currentStepAnalysisRunStatus": { what: "Analysis of the step", say: run },
  "status.canary.currentBackgroundAnalysisRunStatus": { what: "Background analysis", say: run },
  "status.blueGreen.prePromotionAnalysisRunStatus": { what: "Analysis before promotion", say: run },
  "status.blueGreen.postPromotionAnalysisRunStatus": { what: "Analysis after promotion", say: run },
  "status.canary.currentExperiment": { what: "Experiment", say: (value) => String(value ?? "none") },
  "spec.paused": { what: "Paused manually", say: yesNo },
  "status.promoteFull": { what: "Full promotion requested", say: yesNo },
  "status.stableRS": { what: "Stable version", say: version },
  "spec.template": changed("Pod template"),
  "spec.strategy": changed("Strategy"),
  "status.currentStepHash": changed("Steps"),
  targetVersion: changed("Waiting version"),
  passesPauses: { what: "May pass", say: sayPasses },
};

/** Fields that follow from others and that people do not decide on. */
const silent: readonly string[] = ["status.controllerPause"];

/**
 * Describes the changes of a view: versions instead of hashes, steps counted from 1. An abort resets the controller to
 * the first step and clears its pauses, so these changes are left out: they would say the same thing three times.
 */
export function describeChanges(changes: readonly Omit<ViewChange, "text">[], names: Names): ChangeRow[] {
  const isAborted = changes.some(({ field, now }) => field === "status.abort" && now === true);
  const follows = isAborted ? ["status.currentStepIndex", "status.pauseConditions"] : [];
  return changes
    .filter(({ field }) => !silent.includes(field) && !follows.includes(field))
    .map(({ field, seen, now }) => {
      const { what, say } = words[field] ?? { what: field, say: sayPlain };
      const isHidden = words[field] !== undefined && say(seen, names) === "changed";
      const [before, after] =
        seen === null && !isKnownNull(field) ? ["unknown", say(now, names)] : [say(seen, names), say(now, names)];
      return {
        field,
        what,
        seen: field === "metadata.uid" || isHidden ? "as you saw it" : before,
        now: before === after && !isHidden ? nameRun(now, after) : after,
        title: `${field}: ${formatRaw(seen)} → ${formatRaw(now)}`,
      };
    });
}

/**
 * Returns whether null is a real value of the field; for other fields it means that the seen value was not recorded.
 */
function isKnownNull(field: string): boolean {
  return field.endsWith("RunStatus") || field.endsWith("currentExperiment") || field === "status.stableRS";
}

/** Names a different run in the same phase. */
function nameRun(value: unknown, phase: string): string {
  return isRun(value) ? `${phase} (${value.name})` : phase;
}

function isRun(value: unknown): value is { name: string; phase: string } {
  return typeof value === "object" && value !== null && "name" in value && "phase" in value;
}

function sayStep(value: unknown, { stepCount }: Names): string {
  if (typeof value !== "number") return "none";
  return value >= stepCount ? `all ${stepCount} done` : `${value + 1} of ${stepCount}`;
}

function sayPauses(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return "nothing";
  return value.map((pause: { reason?: unknown }) => wordMessage(String(pause.reason ?? ""))).join(", ");
}

function sayPasses(value: unknown, { stepCount }: Names): string {
  if (!Array.isArray(value) || value.length === 0) return "no pause";
  return `${formatList(value.map((index) => `step ${Number(index) + 1}`))} of ${stepCount}`;
}

function sayPlain(value: unknown): string {
  return value === null || value === undefined || value === "" ? "none" : formatRaw(value);
}

function formatRaw(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "none");
}
