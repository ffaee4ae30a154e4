import type { InboxItem } from "#lib/contract/inbox.ts";
import type { Attention } from "#lib/contract/rollout.ts";

/** The reasons why a rollout waits, as the inbox filter names them. */
export const attentionTitles: Readonly<Record<Attention["reason"], string>> = {
  inconclusive: "Inconclusive",
  gate: "Waiting at a gate",
  pause: "Paused, waiting for a person",
  blueGreenPromotion: "Waiting for promotion",
  degraded: "Degraded",
  finding: "Findings",
};

type Seen = Pick<InboxItem, "rollout">;

/** The clocks of a cluster and of the server may differ. */
const clockSlackMs = 60_000;
/** More than these are counted, not read out. */
const mostNames = 3;

/** Returns the rows that began to wait after the page was opened; not those of a further page of the list. */
export function listArrivals<Item extends Seen>(
  before: readonly Item[],
  now: readonly Item[],
  openedMs: number,
): Item[] {
  const known = new Set(before.map(({ rollout }) => rollout.id));
  return now.filter(({ rollout }) => {
    const since = rollout.waitingSince ?? rollout.attention?.since;
    return !known.has(rollout.id) && since !== undefined && Date.parse(since) > openedMs - clockSlackMs;
  });
}

export function listDepartures<Item extends Seen>(before: readonly Item[], now: readonly Item[]): Item[] {
  const present = new Set(now.map(({ rollout }) => rollout.id));
  return before.filter(({ rollout }) => !present.has(rollout.id));
}

/** Words what changed: "payments/checkout waits: Inconclusive. search/query-api no longer waits."; undefined if nothing did. */
export function wordNews({ arrived, left }: { arrived: readonly Seen[]; left: readonly Seen[] }): string | undefined {
  const sentences = [
    arrived.length > mostNames ? `${arrived.length} more rollouts wait.` : arrived.map(wordArrival).join(" "),
    left.length > mostNames
      ? `${left.length} rollouts no longer wait.`
      : left.map((item) => `${nameOf(item)} no longer waits.`).join(" "),
  ].filter((sentence) => sentence !== "");
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function wordArrival(item: Seen): string {
  const { attention } = item.rollout;
  return `${nameOf(item)} waits${attention === null ? "" : `: ${attentionTitles[attention.reason]}`}.`;
}

function nameOf({ rollout: { namespace, name } }: Seen): string {
  return `${namespace}/${name}`;
}
