import { findEntry } from "#lib/domain/acting/action-catalogue.ts";
import type { AuditEntry } from "#lib/domain/audit/audit-entry.ts";
import { formatAuditSentence, joinSentence } from "#lib/domain/audit/audit-sentence.ts";
import { readApprovalCounts } from "#lib/domain/audit/read-approval-counts.ts";
import type { Attention } from "#lib/domain/delivery/detail.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { parseImage } from "#lib/domain/delivery/version-set.ts";
import { formatLength } from "#lib/util/words.ts";
import { type NotifiableEvent, type NotifiableKind, pathOfRollout } from "./notifiable-event.ts";

/** A wait that a rollout began, as it was stored with the rollout. Times in ISO 8601. */
export type AttentionChange = Attention & {
  rolloutId: string;
  rollout: ObjectRef;
  message: string;
  /** Completed steps. */
  step: number | null;
  stepCount: number;
  revision: number | null;
  /** The images that the rollout wants. */
  images: readonly string[];
  /** The rollout was not known before: it may have waited for long. */
  isFirstSight: boolean;
  /** When it was stored. */
  at: string;
};

type Words = { kind: NotifiableKind; title: string; says: string };

/**
 * Returns the event of a wait; undefined for findings, which have events of their own. One event per rollout, reason,
 * start and severity: the same wait gives another event only if it becomes more severe.
 */
export function eventOfAttention(change: AttentionChange): NotifiableEvent | undefined {
  const words = wordsOf(change);
  if (words === undefined) return undefined;
  const { rolloutId, rollout, reason, since, severity, revision, message, images, isFirstSight, at } = change;
  return {
    id: stableUuid("attention", rolloutId, reason, since, severity),
    kind: words.kind,
    severity,
    target: rollout,
    title: words.title,
    sentence: `${rollout.namespace}/${rollout.name} ${words.says}${message === "" ? "." : `: ${message}`}`,
    facts: [
      { label: "Since", value: since },
      ...(change.stepCount > 0 ? [{ label: "Step", value: placeOf(change) }] : []),
      ...(revision === null ? [] : [{ label: "Revision", value: String(revision) }]),
    ],
    path: pathOfRollout(rollout),
    at: isFirstSight ? since : at,
    matter: {
      id: stableUuid("wait", rolloutId, reason, since),
      ...{ rolloutId, cause: reason, version: nameVersion(images), since },
    },
  };
}

/**
 * Names the version of a rollout by the tags and digests of its images, as the page of a version does: rollouts of
 * different images may have the same. Null without any.
 */
export function nameVersion(images: readonly string[]): string | null {
  const versions = new Set(images.flatMap((image) => parseImage(image).versions));
  return versions.size === 0 ? null : [...versions].toSorted().join(" ");
}

/** Returns the event that a wait is over, from the event that told of it; undefined if that was no wait. */
export function eventOfWaitEnd(began: NotifiableEvent, endedAt: Date): NotifiableEvent | undefined {
  const { matter, target, title } = began;
  if (matter === undefined || matter.rolloutId === null) return undefined;
  const seconds = Math.max(0, Math.round((endedAt.getTime() - Date.parse(matter.since)) / 1000));
  return {
    ...began,
    id: stableUuid("wait-ended", matter.id),
    kind: "wait-ended",
    title: `Over: ${title}`,
    sentence: `${target.namespace}/${target.name} no longer waits, after ${formatLength(seconds)}.`,
    at: endedAt.toISOString(),
  };
}

function wordsOf(change: AttentionChange): Words | undefined {
  const at = change.stepCount > 0 && change.step !== null ? ` at step ${placeOf(change)}` : "";
  switch (change.reason) {
    case "pause":
      return { kind: "waiting", title: `Waits for a person${at}`, says: `waits for a person${at}` };
    case "blueGreenPromotion":
      return { kind: "waiting", title: "Waits for its promotion", says: "waits for a person to promote it" };
    case "gate":
      return { kind: "waiting", title: "Waits at a gate", says: "waits for a person to open its gate" };
    case "inconclusive":
      return {
        kind: "inconclusive",
        title: `Analysis Inconclusive${at}`,
        says: "needs a decision: its analysis is Inconclusive",
      };
    case "degraded":
      return change.severity === "info"
        ? { kind: "promotion-failing", title: "Aborted", says: "was aborted by a person" }
        : { kind: "promotion-failing", title: "Release failing", says: "is degraded" };
    case "finding":
      return undefined;
  }
}

function placeOf({ step, stepCount }: Pick<AttentionChange, "step" | "stepCount">): string {
  return `${Math.min((step ?? 0) + 1, stepCount)} of ${stepCount}`;
}

/**
 * Returns the event of an entry of the audit log: the outcome of an action, a change that was made without Gatehouse, a
 * skipped gate, a request for approval, or an approval that is not enough yet. Undefined for all other entries, and for
 * intents: their outcome follows.
 */
export function eventOfAuditEntry(entry: AuditEntry): NotifiableEvent | undefined {
  const kind = kindOf(entry);
  const { cluster, namespace, kind: objectKind, name } = entry.target ?? {};
  if (kind === undefined || cluster === undefined || namespace === undefined || name === undefined) return undefined;
  return {
    id: stableUuid("audit", entry.seq, entry.time),
    kind,
    severity: isUnexpected(entry) ? "warning" : "info",
    target: { cluster, namespace, kind: objectKind ?? null, name },
    title: titleOf(entry),
    sentence: `${joinSentence(formatAuditSentence(entry))}.`,
    facts: [
      { label: "By", value: entry.actor.name },
      ...(entry.reason === undefined ? [] : [{ label: "Reason", value: entry.reason }]),
      ...(typeof entry.detail?.message === "string" ? [{ label: "Answer", value: entry.detail.message }] : []),
      ...(typeof entry.detail?.requires === "string" ? [{ label: "Required", value: entry.detail.requires }] : []),
    ],
    path: `/audit/${entry.seq}`,
    at: toMilliseconds(entry.time),
  };
}

function kindOf(entry: AuditEntry): "action" | "waiting" | undefined {
  const { code, outcome } = entry;
  if (code === "approval.request") return outcome === "refused" ? undefined : "waiting";
  if (code === "approval.approve") return outcome === "applied" && stillWaits(entry) ? "waiting" : undefined;
  if (outcome === "intent") return undefined;
  return code.startsWith("action.") || code.startsWith("cluster.") || code === "gate.skipped" ? "action" : undefined;
}

function stillWaits(entry: AuditEntry): boolean {
  return readApprovalCounts(entry).some(({ approved, approvers }) => approved < approvers);
}

const effectWords: Readonly<Record<string, string>> = {
  "action.without-effect": "no effect yet",
  "action.took-effect": "took effect",
  "action.superseded": "superseded",
  "action.given-up": "no effect",
};

const outcomeWords: Readonly<Record<string, string>> = {
  applied: "applied",
  refused: "refused",
  partial: "partially applied",
  unknown: "outcome unknown",
};

function titleOf({ action, code, outcome, source, detail }: AuditEntry): string {
  if (code === "gate.skipped") return "Gate skipped";
  const label = findEntry(action ?? "")?.label ?? action ?? code;
  if (code === "approval.request")
    return `${detail?.agent === undefined ? "Approval requested" : "Proposed by an agent"}: ${label}`;
  if (code === "approval.approve") return `More approvals needed: ${label}`;
  if (source === "cluster") return `${label} outside Gatehouse`;
  if (code === "action.unschedule" && outcome === "applied") return `${label}: withdrawn`;
  if (code === "action.schedule" && outcome === "applied") return `${label}: scheduled`;
  if (code === "action.schedule" && source === "system") return `${label}: scheduled, not done`;
  return `${label}: ${effectWords[code] ?? outcomeWords[outcome ?? ""] ?? "seen"}`;
}

/** Returns whether somebody should look: nobody was asked, or the effect is not what was asked for. */
function isUnexpected({ code, source, outcome, detail }: AuditEntry): boolean {
  return (
    source === "cluster" ||
    outcome === "partial" ||
    outcome === "unknown" ||
    code === "action.without-effect" ||
    code === "action.given-up" ||
    // The person who scheduled it is not there.
    (code === "action.schedule" && source === "system") ||
    (outcome === "refused" && typeof detail?.scheduled === "string") ||
    typeof detail?.brokenFreeze === "string" ||
    typeof detail?.aheadOfSet === "string"
  );
}

function toMilliseconds(time: string): string {
  return new Date(time).toISOString();
}
