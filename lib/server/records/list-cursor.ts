import { type Expression, expressionBuilder, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Condition } from "#lib/server/platform/db/conditions.ts";
import { type Connection, type Query, readRows } from "#lib/server/platform/db/run-query.ts";
import { parseJson } from "#lib/util/json.ts";

const timePattern =
  /^(?<year>\d{4,6})-(?<month>\d{2})-(?<day>\d{2}) (?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})(?:\.\d{1,6})?[+-](?<zone>\d{2})(?::(?<zoneMinute>\d{2}))?$/;

/**
 * A time as PostgreSQL prints it: keeps the microseconds that a Date would lose. Rejects times that PostgreSQL rejects.
 */
export const DatabaseTime = z.string().refine(isDatabaseTime);

/** An integer within the range of `integer`. */
export const DatabaseInt = z
  .number()
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1);

/** Formats the sort key of a page's last row as a cursor, opaque to callers. */
export function formatListCursor(key: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(key)).toString("base64url");
}

/**
 * Parses the key in a cursor; undefined for the first page. Throws `invalid_request` for one that this list never
 * issued; `name` is that of the parameter.
 */
export function parseListCursor<Schema extends z.ZodType>(
  schema: Schema,
  cursor: string | undefined,
  name = "cursor",
): z.infer<Schema> | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const key = parseJson(text);
  const result = schema.safeParse(key);
  // PostgreSQL's text allows neither NUL nor lone surrogates.
  const isStorable = Array.isArray(key) && key.every((part) => typeof part !== "string" || isStorableText(part));
  if (result.success && isStorable) return result.data;
  const reason = "not issued by this list";
  throw new ServiceError("invalid_request", `${name}: ${reason}`, { invalidParams: [{ name, reason }] });
}

/** Makes a time of the text in a cursor or a query. */
export function asTime(text: string): RawBuilder<Date> {
  return sql`${text}::timestamptz`;
}

/** Returns the condition that a row is on a later page than this key: the newest come first, then by id. */
export function isPast(
  { time, id }: { time: Expression<Date>; id: Expression<string> },
  [at, key]: readonly [string, string],
): Condition {
  const eb = expressionBuilder();
  return eb.and([eb(time, "<=", asTime(at)), eb.or([eb(time, "<", asTime(at)), eb(id, ">", key)])]);
}

type Page<Row, Item> = {
  limit: number;
  keyOf: (row: Row) => readonly (string | number | null)[];
  toItem: (row: Row) => Item;
};

/** Reads one page of an ordered query. One extra row is requested: it shows whether another page follows. */
export async function readPage<Row, Item>(
  connection: Connection,
  { query, ...page }: Page<Row, Item> & { query: { limit(count: number): Query<Row> } },
): Promise<ListPage<Item>> {
  return pageOf({ rows: await readRows(connection, query.limit(page.limit + 1)), ...page });
}

/** Removes the one extra row that was requested, and makes the cursor of the last remaining row (keyset paging). */
export function pageOf<Row, Item>({
  rows,
  limit,
  keyOf,
  toItem,
}: Page<Row, Item> & { rows: readonly Row[] }): ListPage<Item> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    items: kept.map((row) => makeItem(row, toItem)),
    nextCursor: hasMore ? formatListCursor(keyOf(last)) : null,
  };
}

/** Converts a row. Returns undefined for a corrupt row; it is removed before the list is returned. */
function makeItem<Row, Item>(row: Row, toItem: (row: Row) => Item): Item {
  try {
    return toItem(row);
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
    return undefined as Item;
  }
}

function isStorableText(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** Returns whether PostgreSQL accepts the time; its newest is in the year 294276, in UTC. */
function isDatabaseTime(text: string): boolean {
  const match = timePattern.exec(text)?.groups;
  if (match === undefined) return false;
  const [year = 0, month = 0, day = 0] = [match.year, match.month, match.day].map(Number);
  const isDay =
    month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const isHour = Number(match.hour) < 24 && Number(match.minute) < 60 && Number(match.second) < 60;
  const isZone = Number(match.zone) < 16 && Number(match.zoneMinute ?? 0) < 60;
  return year >= 1 && year < 294_276 && isDay && isHour && isZone;
}
