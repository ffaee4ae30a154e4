import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";

export type Condition = Expression<SqlBool>;

/** Joins conditions with AND and leaves out the undefined ones; true if there are none. */
export function allOf(conditions: readonly (Condition | undefined)[]): Condition {
  return expressionBuilder().and(conditions.filter((condition) => condition !== undefined));
}

/** Builds the condition if the value is defined: a filter that is not set. */
export function given<Value>(
  value: Value | undefined,
  condition: (value: Value) => Condition | undefined,
): Condition | undefined {
  return value === undefined ? undefined : condition(value);
}

/**
 * Returns the condition that a column has one of these values; they are one array parameter, however many. A single value
 * is compared by itself: then an index that continues with the order of the list gives its first rows at once.
 */
export function isOneOf<Value>(
  column: Expression<Value>,
  values: readonly NonNullable<Value>[],
  type: "text" | "uuid" | "int8" = "text",
): Condition {
  const [only] = values;
  if (values.length === 1) return sql<SqlBool>`${column} = ${only}::${sql.raw(type)}`;
  return sql<SqlBool>`${column} = ANY(${values}::${sql.raw(type)}[])`;
}

/** The key of an analysis run. What belongs to it is found by both: its tables begin with the rollout. */
export type RunKey = { readonly rollout_id: string; readonly uid: string };

/** Returns the condition that a row belongs to one of these runs, however many. */
export function isOfRun(
  [rolloutId, runUid]: readonly [rolloutId: Expression<string>, runUid: Expression<string>],
  runs: readonly RunKey[],
): Condition {
  const [only] = runs;
  if (only !== undefined && runs.length === 1)
    return sql<SqlBool>`(${rolloutId} = ${only.rollout_id}::uuid AND ${runUid} = ${only.uid})`;
  const keys = sql`unnest(${runs.map((run) => run.rollout_id)}::uuid[], ${runs.map((run) => run.uid)}::text[])`;
  return sql<SqlBool>`(${rolloutId}, ${runUid}) IN (SELECT * FROM ${keys})`;
}

/** Returns the condition that a column matches one of these LIKE patterns. */
export function isLikeAny(column: Expression<string | null>, patterns: readonly string[]): Condition {
  return sql<SqlBool>`${column} LIKE ANY(${patterns}::text[])`;
}

/** Returns a condition that finds the literal text anywhere in the column, in either case. */
export function containsText(column: Expression<string | null>, text: string): Condition {
  return expressionBuilder()(column, "ilike", `%${text.replace(/[\\%_]/g, "\\$&")}%`);
}

/** Returns a condition that finds the literal text in any of the columns; undefined if there is no text to find. */
export function anyContains(
  columns: readonly Expression<string | null>[],
  text: string | undefined,
): Condition | undefined {
  if (text === undefined || text === "") return undefined;
  return expressionBuilder().or(columns.map((column) => containsText(column, text)));
}
