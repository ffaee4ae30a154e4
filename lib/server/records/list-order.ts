import {
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import type { Condition } from "#lib/server/platform/db/conditions.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { DatabaseTime, pageOf, parseListCursor } from "#lib/server/records/list-cursor.ts";

/**
 * One expression of an order. It is never null: a nullable column has COALESCE around it, with a value that comes last.
 */
type OrderPart = { by: Expression<unknown>; as: keyof typeof keyTypes; way: Way };
type Way = "asc" | "desc";

/** The orders of a list by name, each in both directions. The last part is unique, so every row has one place. */
export type Orders<Name extends string> = Readonly<Record<Name, Readonly<Record<Way, readonly OrderPart[]>>>>;
export type Sort<Name extends string> = Name | `-${Name}`;

/** The texts that a key of each type may have, so that the cast never fails. */
const keyTypes = {
  text: z.string(),
  uuid: z.uuid(),
  timestamptz: DatabaseTime.or(z.enum(["infinity", "-infinity"])),
  int4: z.string().regex(/^-?\d{1,9}$/),
  int8: z.string().regex(/^\d{1,18}$/),
  numeric: z.string().regex(/^-?\d{1,15}(\.\d{1,9})?$/),
} as const;

/** Makes an order whose reverse is exactly that: one index serves both directions. */
export function bothWays(parts: readonly OrderPart[]): Record<Way, readonly OrderPart[]> {
  const flipped = parts.map((part) => ({ ...part, way: part.way === "asc" ? ("desc" as const) : ("asc" as const) }));
  return parts[0]?.way === "desc" ? { asc: flipped, desc: parts } : { asc: parts, desc: flipped };
}

/** Makes an order by severity: the worst first, and of those the newest; the reverse is exactly that. */
export function worstFirst(parts: { rank: Expression<number>; time: Expression<unknown>; id: OrderPart }) {
  const { asc, desc } = bothWays([
    orderPart(parts.rank, "int4", "desc"),
    orderPart(parts.time, "timestamptz", "desc"),
    { ...parts.id, way: "desc" },
  ]);
  return { asc: desc, desc: asc };
}

/** Makes a part of an order; ascending unless said otherwise. */
export function orderPart(by: Expression<unknown>, as: OrderPart["as"], way: Way = "asc"): OrderPart {
  return { by, as, way };
}

/** An order as a query uses it; see `listOrder`. */
export type ListOrder = {
  orderBy: RawBuilder<unknown>;
  /** The row's place, as text: select it as `sort_key`. */
  key: RawBuilder<string[]>;
  /** The condition that a row comes after the cursor's; undefined for the first page. */
  isAfter: Condition | undefined;
  /** Returns the values that a cursor of this order contains. */
  keyOf: (row: { sort_key: string[] }) => readonly string[];
};

/**
 * Chooses an order, and reads the place in it from a cursor. Throws `invalid_request` for a cursor that a list in this
 * order never issued.
 */
export function listOrder<Name extends string>(
  orders: Orders<Name>,
  { sort, usual, cursor }: { sort: Sort<Name> | undefined; usual: Sort<Name>; cursor: string | undefined },
): ListOrder {
  const chosen = sort ?? usual;
  const parts = partsOf(orders, chosen);
  const Key = z.tuple([z.literal(chosen), ...parts.map(({ as }) => keyTypes[as])]);
  const after = parseListCursor(Key, cursor)?.slice(1) as string[] | undefined;
  return {
    orderBy: sql.join(parts.map(({ by, way }) => sql`${by} ${sql.raw(way)}`)),
    key: sql<string[]>`jsonb_build_array(${sql.join(parts.map(({ by }) => sql`(${by})::text`))})`,
    isAfter: after === undefined ? undefined : isPast(parts, after),
    keyOf: ({ sort_key }) => [chosen, ...sort_key],
  };
}

function partsOf<Name extends string>(orders: Orders<Name>, sort: Sort<Name>): readonly OrderPart[] {
  return sort.startsWith("-") ? orders[sort.slice(1) as Name].desc : orders[sort as Name].asc;
}

/** Parts of one direction are compared as a row: an index answers that even if many rows share the first parts. */
function isPast(parts: readonly OrderPart[], key: readonly string[]): Condition {
  const ways = new Set(parts.map(({ way }) => way));
  if (ways.size > 1) return isPastPart(parts, key);
  const places = sql.join(parts.map(({ by }) => by));
  const values = sql.join(parts.map((part, index) => castKey(part, key[index])));
  const isBeyond = sql.raw(ways.has("asc") ? ">" : "<");
  return sql<SqlBool>`(${places}) ${isBeyond} (${values})`;
}

function isPastPart([part, ...rest]: readonly OrderPart[], [text, ...others]: readonly string[]): Condition {
  const eb = expressionBuilder();
  if (part === undefined) return eb.lit(false);
  const { by, way } = part;
  const value = castKey(part, text);
  const isBeyond = eb(by, way === "asc" ? ">" : "<", value);
  if (rest.length === 0) return isBeyond;
  const reaches = eb(by, way === "asc" ? ">=" : "<=", value);
  return eb.and([reaches, eb.or([isBeyond, isPastPart(rest, others)])]);
}

function castKey({ as }: OrderPart, text: string | undefined): RawBuilder<unknown> {
  return sql`${text}::${sql.raw(as)}`;
}

type OrderedPage<Row, Item> = { order: ListOrder; limit: number; toItem: (row: Row & { sort_key: string[] }) => Item };

/** Reads one page of a query in this order; the query has the condition `order.isAfter` already. */
export async function readOrdered<DB, Tables extends keyof DB, Row, Item>(
  connection: Connection,
  { query, order, limit, toItem }: OrderedPage<Row, Item> & { query: SelectQueryBuilder<DB, Tables, Row> },
): Promise<ListPage<Item>> {
  const rows = await readRows(connection, inOrder(query, order).limit(limit + 1));
  return pageOf({ rows, limit, keyOf: order.keyOf, toItem });
}

/** Sorts the query, and selects the place of each row. */
export function inOrder<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  order: ListOrder,
): SelectQueryBuilder<DB, Tables, Row & { sort_key: string[] }> {
  return query.select(order.key.as("sort_key")).orderBy(order.orderBy) as SelectQueryBuilder<
    DB,
    Tables,
    Row & { sort_key: string[] }
  >;
}
