import type { DepartingItem } from "#components/inbox/use-departures.ts";
import { pairImages } from "#lib/client/describe-images.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

type Row = DepartingItem<InboxItem>;

/** Rows of one image and version that wait for the same reason. */
export type RowGroup = { key: string; image: string; rows: Row[] };

/** Fewer rows are not worth a click. */
const fewest = 3;

type Grouping = {
  /** Rows keep their places. */
  isHeld: boolean;
  /** The groups so far. */
  formed: Set<string>;
  /** The group of each row, by the row's key. */
  keys: Map<string, string | undefined>;
};

const nothingYet = (): Grouping => ({ isHeld: false, formed: new Set(), keys: new Map() });

/**
 * Puts rows of one image that wait for the same reason into a group, in the place of their first row; the others keep
 * their places. Once formed, a group stays while it has rows, so that none of them moves out under the pointer. While
 * rows are held, none joins or leaves a group, because that would close the dialog that is open in it.
 */
export function groupRows(rows: readonly Row[], { isHeld, formed, keys }: Grouping = nothingYet()): (Row | RowGroup)[] {
  for (const { key, item } of rows) if (!isHeld || !keys.has(key)) keys.set(key, keyOf(item));
  const byKey = Map.groupBy(rows, (row) => keys.get(row.key));
  if (!isHeld) for (const [key, own] of byKey) if (key !== undefined && own.length >= fewest) formed.add(key);
  const begun = new Set<string>();
  return rows.flatMap((row): (Row | RowGroup)[] => {
    const key = keys.get(row.key);
    if (key === undefined || !formed.has(key)) return [row];
    if (begun.has(key)) return [];
    begun.add(key);
    return [{ key, image: key.slice(key.indexOf(" ") + 1), rows: byKey.get(key) ?? [] }];
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
