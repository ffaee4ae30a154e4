import { z } from "zod";
import { ServiceError } from "#lib/server/services/service-error.ts";

/** A time as PostgreSQL prints it: keeps the microseconds that a Date would lose. */
export const DatabaseTime = z.string().regex(/^\d{4,6}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?[+-]\d{2}(:\d{2})?$/);

/** The sort key of a page's last row, opaque to callers. */
export function formatListCursor(key: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

/** The key in a cursor, undefined for the first page. Throws `invalid_request` for one that this list never gave out. */
export function parseListCursor<Schema extends z.ZodType>(
  schema: Schema,
  cursor: string | undefined,
): z.infer<Schema> | undefined {
  if (cursor === undefined) return undefined;
  const result = schema.safeParse(parseJson(Buffer.from(cursor, "base64url").toString("utf8")));
  if (result.success) return result.data;
  throw new ServiceError("invalid_request", "cursor: not one that this list gave out", {
    invalidParams: [{ name: "cursor", reason: "not one that this list gave out" }],
  });
}

/** Cuts the one row too many that was asked for, and makes the cursor of the last row that stays. */
export function pageOf<Row, Item>({
  rows,
  limit,
  keyOf,
  toItem,
}: {
  rows: readonly Row[];
  limit: number;
  keyOf: (row: Row) => readonly (string | number | null)[];
  toItem: (row: Row) => Item;
}): { items: Item[]; nextCursor: string | null } {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    items: kept.map((row) => makeItem(row, toItem)),
    nextCursor: hasMore ? formatListCursor(keyOf(last)) : null,
  };
}

/** Undefined stands for a row that is stored corruptly; being of no form, it is taken out before the list is answered. */
function makeItem<Row, Item>(row: Row, toItem: (row: Row) => Item): Item {
  try {
    return toItem(row);
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
    return undefined as Item;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
