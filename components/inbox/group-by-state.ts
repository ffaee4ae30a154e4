import type { SteadyItem } from "#components/ui/use-steady-items.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";
import type { Attention } from "#lib/contract/rollout.ts";

export type Reason = Attention["reason"] | "other" | "snoozed";
export type InboxGroup = { reason: Reason; title: string; rows: SteadyItem<InboxItem>[] };

export const attentionTitles: Record<Reason, string> = {
  inconclusive: "Inconclusive",
  gate: "Waiting at a gate",
  pause: "Paused, waiting for a person",
  blueGreenPromotion: "Waiting for promotion",
  degraded: "Degraded",
  finding: "Findings",
  other: "Other",
  snoozed: "Snoozed",
};

/**
 * Groups rows by what they wait for; snoozed ones come last. Groups keep the order of their first rows, so the server's
 * ranking is kept. While rows are held, a known one stays in its group (`places`), because moving it would close the
 * dialog that is open in it. One that wakes moves at once: its group may be closed.
 */
export function groupByState(
  rows: readonly SteadyItem<InboxItem>[],
  { isHeld, places }: { isHeld: boolean; places: Map<string, Reason> } = { isHeld: false, places: new Map() },
): InboxGroup[] {
  const groups = new Map<Reason, InboxGroup>();
  for (const row of rows) {
    const known = isHeld ? places.get(row.key) : undefined;
    const current = placeOf(row.item);
    const reason = known === undefined || known === "snoozed" ? current : known;
    places.set(row.key, reason);
    const group = groups.get(reason) ?? { reason, title: attentionTitles[reason] ?? attentionTitles.other, rows: [] };
    group.rows.push(row);
    groups.set(reason, group);
  }
  return [...groups.values()].toSorted(
    (one, other) => Number(one.reason === "snoozed") - Number(other.reason === "snoozed"),
  );
}

function placeOf({ rollout, handling, answer }: InboxItem): Reason {
  if (handling.snooze !== null && answer === null) return "snoozed";
  return rollout.attention?.reason ?? "other";
}
