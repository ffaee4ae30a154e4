import type { ReleaseAct } from "#lib/contract/rollout.ts";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { formatAuditSentence, joinSentence } from "#lib/domain/audit/audit-sentence.ts";

export type ReleaseActRow = {
  seq: string;
  time: Date;
  entry: string;
  action_state: string | null;
  effect_seconds: number | null;
  effect_why: string | null;
  /** The entry of the action's intent; null for what was done without Gatehouse. */
  intent: string | null;
};

/**
 * One act in words, from the text that was hashed. What the recorder found out stands with the person who asked for it.
 * Where the cluster's evidence names no client, none is named.
 */
export function serializeReleaseAct(row: ReleaseActRow): ReleaseAct {
  const seq = Number(row.seq);
  const entry = parseEntryText(row.entry);
  if (entry === undefined) return unreadableAct(seq, row.time);
  const asked = row.intent === null ? undefined : parseEntryText(row.intent);
  const actor = entry.actor.type === "system" && asked !== undefined ? asked.actor : entry.actor;
  const detail = { ...asked?.detail, ...entry.detail };
  // An unknown outcome is told by itself, beside what was asked for.
  const outcome = entry.outcome === "unknown" ? "intent" : entry.outcome;
  const [who, ...rest] = formatAuditSentence({ ...entry, actor, detail, outcome, target: { name: "it" } });
  // What the controller did by itself has a code of its own.
  const isOutside = entry.source === "cluster" && entry.action !== undefined;
  return {
    seq,
    time: typeof detail.observedAt === "string" ? detail.observedAt : entry.time,
    action: entry.action ?? "",
    actor,
    source: entry.source,
    who: isOutside ? `${actor.name}, outside Gatehouse` : (who?.text ?? actor.name),
    did: joinSentence(rest).trim(),
    reason: entry.reason ?? asked?.reason ?? null,
    outcome: entry.outcome ?? null,
    effect:
      row.action_state === null ? null : { state: row.action_state, seconds: row.effect_seconds, why: row.effect_why },
  };
}

/** A text that was tampered with says so in its place. */
function unreadableAct(seq: number, time: Date): ReleaseAct {
  return {
    seq,
    time: time.toISOString(),
    action: "",
    actor: { type: "unknown", name: "unknown" },
    source: "system",
    who: "Unknown",
    did: "did what its entry tells no more: its text was changed",
    reason: null,
    outcome: null,
    effect: null,
  };
}
