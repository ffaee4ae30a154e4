import type { Selectable } from "kysely";
import type { ReleaseAct } from "#lib/contract/rollout.ts";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { formatAuditSentence, joinSentence } from "#lib/domain/audit/audit-sentence.ts";
import { withAttribution } from "#lib/domain/audit/entry-person.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";

export type ReleaseActRow = Pick<Selectable<Tables["audit_entry"]>, "seq" | "time" | "entry"> & {
  action_state: string | null;
  effect_seconds: number | null;
  effect_why: string | null;
  /** The entry of the action's intent; null if it was done without Gatehouse. */
  intent: string | null;
  /** The entry that names the person behind a change without Gatehouse; null without one. */
  attribution: string | null;
};

/**
 * Describes one act, from the text that was hashed. An outcome that the recorder found is listed with the person who
 * requested the act. If the cluster's evidence names no client, none is named.
 */
export function serializeReleaseAct(row: ReleaseActRow): ReleaseAct {
  const seq = Number(row.seq);
  const own = parseEntryText(row.entry);
  if (own === undefined) return unreadableAct(seq, row.time);
  const entry = withAttribution(own, row.attribution === null ? undefined : parseEntryText(row.attribution));
  const asked = row.intent === null ? undefined : parseEntryText(row.intent);
  const actor = entry.actor.type === "system" && asked !== undefined ? asked.actor : entry.actor;
  const detail = { ...asked?.detail, ...entry.detail };
  // An unknown outcome is shown separately, next to the request.
  const outcome = entry.outcome === "unknown" ? "intent" : entry.outcome;
  const [who, ...rest] = formatAuditSentence({ ...entry, actor, detail, outcome, target: { name: "it" } });
  // The controller's own acts have a separate code.
  const isOutside = entry.source === "cluster" && entry.action !== undefined;
  return {
    seq,
    time: typeof detail.observedAt === "string" ? detail.observedAt : entry.time,
    // A request for approval, or a decision about it, is not the action itself.
    action: entry.code.startsWith("approval.") ? "" : (entry.action ?? ""),
    actor,
    source: entry.source,
    who:
      isOutside && actor.type !== "kubernetes-user"
        ? `${actor.name}, outside Gatehouse`
        : (who?.text.replace(/,$/, "") ?? actor.name),
    did: joinSentence(rest).trim(),
    reason: entry.reason ?? asked?.reason ?? null,
    outcome: entry.outcome ?? null,
    effect:
      row.action_state === null ? null : { state: row.action_state, seconds: row.effect_seconds, why: row.effect_why },
  };
}

/** Returns an act that reports that its text was tampered with. */
function unreadableAct(seq: number, time: Date): ReleaseAct {
  return {
    seq,
    time: time.toISOString(),
    action: "",
    actor: { type: "unknown", name: "unknown" },
    source: "system",
    who: "Unknown",
    did: "unknown action: the text of its audit entry was changed",
    reason: null,
    outcome: null,
    effect: null,
  };
}
