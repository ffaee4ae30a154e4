import type { NotifiableEventItem } from "#lib/contract/notification.ts";

/** Whether this browser shows notifications. Kept in the browser: permission is the browser's too. */
export const preferenceKey = "gatehouse-browser-notifications";

/** Events that need a person, or are failures. Acts of people and ended events are for the inbox and the audit log. */
const shownKinds: readonly NotifiableEventItem["kind"][] = [
  "waiting",
  "inconclusive",
  "promotion-failing",
  "finding-opened",
  "finding-worsened",
];

/** Older events are no news: the inbox has those that still wait. */
const freshMs = 10 * 60_000;
const keptIds = 300;

export type BrowserNotice = { id: string; title: string; body: string; path: string };

/**
 * Returns notices for the newest events, and the ids to keep. The first answer after a start has only events that are
 * there already, and makes no notices. Many events at once become one notice.
 */
export function pickNotices({
  items,
  seen,
  nowMs,
}: {
  /** Newest first. */
  items: readonly NotifiableEventItem[];
  /** Undefined if no ids were kept yet. */
  seen: readonly string[] | undefined;
  /** By the server's clock. */
  nowMs: number;
}): { notices: BrowserNotice[]; seen: string[] } {
  const known = new Set(seen);
  const fresh =
    seen === undefined
      ? []
      : items.filter(
          ({ id, kind, queuedAt }) =>
            !known.has(id) && shownKinds.includes(kind) && nowMs - Date.parse(queuedAt) < freshMs,
        );
  const remembered = [...items.map(({ id }) => id), ...(seen ?? [])];
  return { notices: noticesOf(fresh), seen: [...new Set(remembered)].slice(0, keptIds) };
}

const mostAtOnce = 3;

function noticesOf(fresh: readonly NotifiableEventItem[]): BrowserNotice[] {
  const [newest] = fresh;
  if (newest === undefined) return [];
  if (fresh.length > mostAtOnce)
    return [
      {
        id: newest.id,
        title: `${fresh.length} rollouts or findings need attention`,
        body: listOf(fresh),
        path: "/inbox",
      },
    ];
  return fresh.toReversed().map((event) => ({
    id: event.id,
    title: `${nameOf(event)}: ${event.title}`,
    body: event.sentence,
    path: event.path,
  }));
}

const mostListed = 5;

function listOf(fresh: readonly NotifiableEventItem[]): string {
  const lines = fresh.slice(0, mostListed).map((event) => `${nameOf(event)}: ${event.title}`);
  return [...lines, ...(fresh.length > mostListed ? [`and ${fresh.length - mostListed} more`] : [])].join("\n");
}

function nameOf({ cluster, namespace, name }: NotifiableEventItem): string {
  const parts = [namespace, name].filter((part) => part !== "");
  return parts.length === 0 ? cluster : parts.join("/");
}

/** Returns the title of the page with the waiting count in front of it; without a count, the plain title. */
export function countTitle(title: string, count: string | undefined): string {
  const plain = title.replace(/^\(\d+\+?\) /, "");
  return count === undefined ? plain : `(${count}) ${plain}`;
}
