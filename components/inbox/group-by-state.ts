import type { SteadyItem } from "#components/ui/use-steady-items.ts";
import type { Attention, InboxItem } from "#lib/contract/rollout.ts";

type Reason = Attention["reason"] | "other";
export type InboxGroup = { reason: Reason; title: string; rows: SteadyItem<InboxItem>[] };

export const attentionTitles: Record<Reason, string> = {
  inconclusive: "Inconclusive",
  gate: "Gates that wait",
  pause: "Paused, waiting for a person",
  blueGreenPromotion: "Waiting for promotion",
  degraded: "Degraded",
  finding: "Findings",
  other: "Other",
};

/** Groups rows by what they wait for. Groups stand in the order of their first row, so the server's ranking holds. */
export function groupByState(rows: readonly SteadyItem<InboxItem>[]): InboxGroup[] {
  const groups = new Map<Reason, InboxGroup>();
  for (const row of rows) {
    const reason = row.item.rollout.attention?.reason ?? "other";
    const group = groups.get(reason) ?? { reason, title: attentionTitles[reason] ?? attentionTitles.other, rows: [] };
    group.rows.push(row);
    groups.set(reason, group);
  }
  return [...groups.values()];
}
