import { findEntry } from "#lib/domain/acting/action-catalogue.ts";
import type { AuditEntry } from "#lib/domain/audit/audit-entry.ts";
import { formatAuditSentence, joinSentence } from "#lib/domain/audit/audit-sentence.ts";
import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import type { NotifiableEvent } from "./notifiable-event.ts";

/**
 * Returns the event of an entry of the audit log: the outcome of an action, a change that was made without Gatehouse, a
 * skipped gate, or a request for a second person. Undefined for all other entries, and for intents: their outcome
 * follows.
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
    ],
    path: `/audit/${entry.seq}`,
    at: toMilliseconds(entry.time),
  };
}

function kindOf({ code, outcome }: AuditEntry): "action" | "waiting" | undefined {
  if (code === "approval.request") return outcome === "refused" ? undefined : "waiting";
  if (outcome === "intent") return undefined;
  return code.startsWith("action.") || code.startsWith("cluster.") || code === "gate.skipped" ? "action" : undefined;
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

function titleOf({ action, code, outcome, source }: AuditEntry): string {
  if (code === "gate.skipped") return "Gate skipped";
  const label = findEntry(action ?? "")?.label ?? action ?? code;
  if (code === "approval.request") return `Approval requested: ${label}`;
  if (source === "cluster") return `${label} outside Gatehouse`;
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
    typeof detail?.brokenFreeze === "string"
  );
}

function toMilliseconds(time: string): string {
  return new Date(time).toISOString();
}
