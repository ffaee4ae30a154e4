import type { AuditDetail } from "#lib/contract/audit.ts";
import type { Attention } from "#lib/contract/rollout.ts";
import { isRecord } from "#lib/util/json.ts";

const reasons: readonly Attention["reason"][] = [
  "inconclusive",
  "pause",
  "blueGreenPromotion",
  "gate",
  "degraded",
  "finding",
];

export type EvidenceMeasurement = {
  seq: number | undefined;
  value: string | undefined;
  phase: string;
  finishedAt: string | undefined;
  /** Notes of the metric's source, by name. */
  noted: Record<string, string>;
};
export type EvidenceMetric = { name: string; phase: string; message: string; measurements: EvidenceMeasurement[] };
export type EvidenceRun = {
  uid: string | undefined;
  name: string;
  phase: string;
  message: string;
  metrics: EvidenceMetric[];
};
export type ParsedEvidence = {
  phase: string | undefined;
  message: string | undefined;
  /** Why the rollout waited for a person; undefined in evidence without this field. */
  attention: Attention["reason"] | null | undefined;
  /** What held it, by the controller's reasons. */
  holds: string[];
  view: [string, unknown][];
  runs: EvidenceRun[];
};

/**
 * Parses the parts of an action's evidence that this version understands: it was frozen when it was written, perhaps
 * by another version of Gatehouse. Returns undefined for other kinds; the text is always shown too.
 */
export function parseEvidence(evidence: unknown): ParsedEvidence | undefined {
  const root = asRecord(evidence);
  const rollout = asRecord(root.rollout);
  const view = asRecord(rollout.view);
  const runs = asList(root.runs).map(parseRun);
  if (runs.length === 0 && Object.keys(view).length === 0) return undefined;
  const pauses = asList(view.pauseConditions).flatMap((pause) => asText(asRecord(pause).reason) ?? []);
  return {
    phase: asText(rollout.phase),
    message: asText(rollout.message),
    attention: rollout.attention === null ? null : reasons.find((reason) => reason === rollout.attention),
    holds: view.paused === true ? [...pauses, "manually paused"] : pauses,
    view: Object.entries(view),
    runs,
  };
}

/**
 * Says at which pause a rollout waited, and how much traffic its new version had: "shop/cart waited at pause step 2 of 5,
 * with 50 % of traffic on the new version." Undefined for another wait, or if the entry has no step.
 */
export function describePlace(
  { target, detail }: Pick<AuditDetail, "target" | "detail">,
  { attention, holds }: Pick<ParsedEvidence, "attention" | "holds">,
): string | undefined {
  if (attention !== "pause" || !holds.includes("CanaryPauseStep")) return undefined;
  const { namespace, name } = target ?? {};
  const { step, stepCount, actualWeight } = detail ?? {};
  if (namespace === undefined || name === undefined) return undefined;
  if (typeof step !== "number" || typeof stepCount !== "number" || step >= stepCount) return undefined;
  // A share that is not a whole number is text in an entry.
  const isShare = typeof actualWeight === "number" || /^[0-9.]{1,16}$/.test(asText(actualWeight) ?? "");
  const share = isShare ? `, with ${actualWeight} % of traffic on the new version` : "";
  return `${namespace}/${name} waited at pause step ${step + 1} of ${stepCount}${share}.`;
}

function parseRun(value: unknown): EvidenceRun {
  const run = asRecord(value);
  return {
    uid: asText(run.uid),
    name: asText(run.name) ?? "unnamed",
    phase: asText(run.phase) ?? "Unknown",
    message: asText(run.message) ?? "",
    metrics: asList(run.metrics).map((metric) => {
      const { name, phase, message, measurements } = asRecord(metric);
      return {
        name: asText(name) ?? "unnamed",
        phase: asText(phase) ?? "Unknown",
        message: asText(message) ?? "",
        measurements: asList(measurements).map(parseMeasurement),
      };
    }),
  };
}

function parseMeasurement(value: unknown): EvidenceMeasurement {
  const { seq, value: measured, phase, finished_at: finishedAt, metadata } = asRecord(value);
  const number = typeof seq === "number" ? seq : Number.parseInt(asText(seq) ?? "", 10);
  return {
    seq: Number.isNaN(number) ? undefined : number,
    value: asText(measured),
    phase: asText(phase) ?? "Unknown",
    finishedAt: asText(finishedAt),
    noted: Object.fromEntries(
      Object.entries(asRecord(metadata)).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    ),
  };
}

/**
 * Returns the number to plot for a recorded value: the value itself, or the first of a list. Null for anything else.
 */
export function plotValue(value: string | undefined): number | null {
  const text = /^\s*(?:\[\s*)*([^\s,\]]+)/.exec(value ?? "")?.[1];
  const number = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
