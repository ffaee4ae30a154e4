import type { DepartingItem } from "#components/inbox/use-departures.ts";
import { pairImages } from "#lib/client/describe-images.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

type Row = DepartingItem<InboxItem>;

/** Rows of one image and version that wait for the same reason. */
export type RowGroup = { key: string; image: string; rows: Row[] };

/** Fewer rows are not worth a click. */
const fewest = 3;

/**
 * Puts rows of one image that wait for the same reason into a group, in the place of their first row; the others keep
 * their places. Once formed, a group (`formed`) stays while it has rows, so that none of them moves out under the pointer.
 */
export function groupRows(rows: readonly Row[], formed: Set<string> = new Set()): (Row | RowGroup)[] {
  const byKey = Map.groupBy(rows, ({ item }) => keyOf(item));
  for (const [key, own] of byKey) if (key !== undefined && own.length >= fewest) formed.add(key);
  const begun = new Set<string>();
  return rows.flatMap((row): (Row | RowGroup)[] => {
    const key = keyOf(row.item);
    if (key === undefined || !formed.has(key)) return [row];
    if (begun.has(key)) return [];
    begun.add(key);
    return [{ key, image: imageOf(row.item) ?? "", rows: byKey.get(key) ?? [] }];
  });
}

export function isRowGroup(entry: Row | RowGroup): entry is RowGroup {
  return "rows" in entry;
}

/** Undefined for a row without a new version, which is never grouped. */
function keyOf(item: InboxItem): string | undefined {
  const image = imageOf(item);
  const reason = item.rollout.attention?.reason;
  return image === undefined || reason === undefined || reason === "finding" ? undefined : `${reason} ${image}`;
}

function imageOf({ rollout }: InboxItem): string | undefined {
  return pairImages(rollout.images ?? []).next;
}
