import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { addIt, formatAuditSentence, joinSentence, nameDid, nameToDo } from "#lib/domain/audit/audit-sentence.ts";
import { withAttribution } from "#lib/domain/audit/entry-person.ts";

/** The act behind a timeline entry: through Gatehouse, or told by an audit entry: without it, or an approval. */
export type TimelineAct =
  | { action: string; state: string; reason: string | null; message: string }
  | {
      entry: string | null;
      attribution?: string | null;
      action?: string;
      client?: string | null;
      subject?: string | null;
    };

/** `step` counts from 0; null for a run that belongs to no step, or is not recorded. */
type TimelineRun = { name: string; step: number | null };

type TimelineText = { text: string; act: TimelineAct | null; run?: TimelineRun | undefined };

/** Returns the reason of a Gatehouse action, and whether it was refused. */
export function readTimelineAct(act: TimelineAct | null): { reason: string | null; isRefused: boolean } {
  if (act === null || "entry" in act) return { reason: null, isRefused: false };
  return { reason: act.reason === "" ? null : act.reason, isRefused: act.state === "refused" };
}

/** Names an act without its person, as "aborted it" or "asked to abort it"; null if it is not an action. */
export function nameAct(act: TimelineAct | null): string | null {
  if (act === null || act.action === undefined) return null;
  // "Did" only if the effect was observed; without Gatehouse, the effect is all that is known.
  const isDone = !("state" in act) || act.state === "effective";
  return isDone ? addIt(nameDid(act.action)) : `asked to ${addIt(nameToDo(act.action))}`;
}

/**
 * Formats the text of an entry. `text` is derived from observations; for an action it is the person's name. For acts
 * without Gatehouse it is used if their audit entry cannot be read. `run`: the analysis run that it is about.
 */
export function formatTimelineText({ text, act, run }: TimelineText): string {
  if (act === null) return run === undefined ? wordDerived(text) : (wordRun(text, run) ?? wordDerived(text));
  if ("entry" in act) {
    const entry = act.entry === null ? undefined : parseEntryText(act.entry);
    const attribution = act.attribution == null ? undefined : parseEntryText(act.attribution);
    if (entry === undefined && act.action !== undefined)
      return `${act.client ?? "Client unknown"}, outside Gatehouse: ${addIt(nameToDo(act.action))}${act.subject == null ? "" : ` (${act.subject})`}`;
    if (entry === undefined) return text;
    const sentence = joinSentence(
      formatAuditSentence({ ...withAttribution(entry, attribution), target: { name: "it" } }),
    );
    return entry.reason === undefined ? sentence : `${sentence}: “${entry.reason}”`;
  }
  const { action, state, reason, message } = act;
  const what = addIt(nameToDo(action));
  if (state === "refused") return `${text} was not allowed to ${what}${message === "" ? "" : `: ${message}`}`;
  const why = reason === null || reason === "" ? "" : `: “${reason}”`;
  const did = nameAct(act);
  if (message === "") return `${text} ${did}${why}`;
  return `${text} ${did}${why}${/[.!?]”?$/.test(why) ? "" : "."} ${message}`;
}

/** Words what was derived from observations and stored: a client as "(via name)", and a bare phase with its message. */
function wordDerived(text: string): string {
  return text
    .replace(/ \(via gatehouse\)$/, " through Gatehouse")
    .replace(
      /^First seen: Progressing: Flagger is creating the primary\.$/,
      "First seen while Flagger was creating the primary",
    );
}

/** Words the start and the end of an analysis: "Step analysis app-1-2 is Failed" as "Analysis of step 3 ended Failed". */
function wordRun(text: string, { name, step }: TimelineRun): string | undefined {
  const at = text.indexOf(` ${name} `);
  if (at < 0) return undefined;
  const title = text.slice(0, at);
  const [, begins, end] =
    /^(begins)?(?: and )?(?:is ([A-Z][a-z]{1,30}))?$/.exec(text.slice(at + name.length + 2)) ?? [];
  if (begins === undefined && end === undefined) return undefined;
  const shown = title === "Step analysis" && step !== null ? `Analysis of step ${step + 1}` : title;
  const happened = [begins === undefined ? [] : "started", end === undefined ? [] : `ended ${end}`].flat();
  return `${shown} ${happened.join(" and ")}`;
}
