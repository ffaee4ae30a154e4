import {
  type ColumnType,
  DummyDriver,
  type ExpressionBuilder,
  expressionBuilder,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";

/** Views, which the schema does not have. */
type Views = {
  /**
   * Measurements as rows, whether packed or not. The range of their packed row (numbers, and its earliest start) leaves
   * out others without unpacking them.
   */
  recorded_measurement: Tables["measurement"] &
    Record<"first_seq" | "last_seq", ColumnType<number, never, never>> & { since: ColumnType<Date, never, never> };
};
type Readable = Tables & Views;

/**
 * Builds SQL whose tables and columns are checked against `schema.prisma`: a renamed column fails the type check here.
 * It has no connection; `readRows` and `write` run the queries on a pool or within a transaction. For queries that the
 * Prisma client cannot express (docs/adr/0015).
 */
export const tables = new Kysely<Readable>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Returns the name of a table for a `sql` template. */
export function tableName(name: keyof Readable) {
  return sql.table(name);
}

/**
 * The columns of a table, to check the names in an object that a callback returns: `({ ... }) satisfies Columns<"pod">`.
 * The type check of such an object alone would let an unknown name pass.
 */
export type Columns<Table extends keyof Tables> = { [Column in keyof Tables[Table]]?: unknown };

/** Tables by the aliases of one query, such as `{ r: "rollout" }`. */
export type Aliases = Record<string, keyof Readable>;
/** The tables and aliases that a query over these aliases can name. */
export type Scope<Named extends Aliases> = Readable & { [Alias in keyof Named]: Readable[Named[Alias]] };

/** Returns an expression builder for a fragment that queries with these aliases share. */
export function fragment<Named extends Aliases>(): ExpressionBuilder<Scope<Named>, Extract<keyof Named, string>> {
  return expressionBuilder<Scope<Named>, Extract<keyof Named, string>>();
}

/** Returns a table of these rows. Each of the columns in `types` is one array parameter, however many rows there are. */
export function listed<Row extends Record<string, string | Date | null>, Alias extends string>(
  alias: Alias,
  rows: readonly Row[],
  types: Record<keyof Row, "text" | "uuid" | "timestamptz">,
) {
  const columns = Object.entries<string>(types);
  const arrays = columns.map(([name, type]) => sql`${rows.map((row) => row[name])}::${sql.raw(type)}[]`);
  const names = columns.map(([name]) => sql.id(name));
  return sql<Row>`unnest(${sql.join(arrays)})`.as<Alias>(sql`${sql.id(alias)} (${sql.join(names)})`);
}

/** Returns a table `wanted` of these rows: a lateral join limits what is read for each. */
export function wantedRows<const Name extends string>(
  types: Record<Name, "text" | "uuid">,
  rows: readonly Record<NoInfer<Name>, string>[],
) {
  return listed<Record<Name, string>, "wanted">("wanted", rows, types);
}

/** Returns a table `wanted` of these ids. */
export function wantedIds(ids: readonly string[]) {
  return wantedRows(
    { id: "uuid" },
    ids.map((id) => ({ id })),
  );
}

/**
 * Drops NUL, which PostgreSQL's text cannot store. The columns only serve filters; the hashed entry keeps the original.
 */
export function toColumn(text: string): string;
export function toColumn(text: string | undefined): string | null;
export function toColumn(text: string | undefined): string | null {
  return text === undefined ? null : text.toWellFormed().replaceAll("\u0000", "\ufffd");
}
