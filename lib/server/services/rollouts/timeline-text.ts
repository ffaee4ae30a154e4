import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { formatAuditSentence, joinSentence, nameToDo } from "#lib/domain/audit/audit-sentence.ts";

/** The act behind a timeline entry: through Gatehouse, or without it (`entry`). */
export type TimelineAct =
  | { action: string; state: string; reason: string | null; message: string }
  | { entry: string | null };

/**
 * Formats the text of an entry. `text` is what was derived from observations; for an action it is the person's name.
 * For acts without Gatehouse it is used if their audit entry cannot be read.
 */
export function formatTimelineText({ text, act }: { text: string; act: TimelineAct | null }): string {
  if (act === null) return text;
  if ("entry" in act) {
    const entry = act.entry === null ? undefined : parseEntryText(act.entry);
    return entry === undefined ? text : joinSentence(formatAuditSentence({ ...entry, target: { name: "it" } }));
  }
  const { action, state, reason, message } = act;
  const what = `${nameToDo(action)} it`;
  if (state === "refused") return `${text} was not allowed to ${what}${message === "" ? "" : `: ${message}`}`;
  const why = reason === null || reason === "" ? "" : `: ${reason}`;
  return `${text} asked to ${what}${why}${message === "" ? "" : ` (${message})`}`;
}
