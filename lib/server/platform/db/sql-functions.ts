import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { findingSeverities } from "#lib/domain/oversight/rule.ts";
import { fragment } from "./tables.ts";

const eb = fragment<Record<never, never>>();
const { cast, fn, lit } = eb;

/** Counts rows, as a number; with a condition, those that meet it. */
export function countRows(condition?: Expression<SqlBool>) {
  const rows = fn.countAll();
  return cast<number>(condition === undefined ? rows : rows.filterWhere(condition), "int4");
}

/** Adds values up, as a number: 0 if there are none. With a condition, those of the rows that meet it. */
export function sumOf(value: Expression<unknown>, condition?: Expression<SqlBool>) {
  const sum = fn.sum<number>(value);
  return cast<number>(fn.coalesce(condition === undefined ? sum : sum.filterWhere(condition), lit(0)), "float8");
}

/** Whether any row meets the condition: false if there are none. */
export function anyRow(condition: Expression<SqlBool>) {
  return fn.coalesce(fn.agg<boolean>("bool_or", [condition]), lit(false));
}

export const endOfTime = cast<Date>(sql.lit("infinity"), "timestamptz");

export function secondsBetween(from: Expression<unknown>, to: Expression<unknown>) {
  return sql<number>`extract(epoch FROM ${to} - ${from})::float8`;
}

/** Milliseconds since 1970, with those of microseconds as a fraction. */
export function millisecondsOf<Time extends Date | null>(time: Expression<Time>) {
  return sql<number | Extract<Time, null>>`(extract(epoch FROM ${time}) * 1000)::float8`;
}

/** The hour of the day, from 0 to 23. */
export function hourOf(time: Expression<Date>, timeZone: string) {
  return sql<number>`extract(hour FROM ${time} AT TIME ZONE ${timeZone})::int`;
}

/** A time as the API writes it, for JSON that PostgreSQL builds. */
export function timeOf(time: Expression<Date | null>) {
  return sql<string>`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Joins texts with this one between them. */
export function joinTexts(between: string, texts: readonly Expression<string>[]) {
  return sql<string>`(${sql.join(texts, sql` || ${sql.lit(between)} || `)})`;
}

/** Returns the number that belongs to the column's text. Nothing is bound: an index may have the same expression. */
export function numberFor(
  column: Expression<string | null>,
  numbers: Readonly<Record<string, number>>,
  otherwise: Expression<number>,
) {
  const cases = Object.entries(numbers).map(([text, number]) => sql`WHEN ${sql.lit(text)} THEN ${sql.lit(number)}`);
  return sql<number>`CASE ${column} ${sql.join(cases, sql` `)} ELSE ${otherwise} END`;
}

/** Returns the value at this path of a `jsonb` value; null without one. */
export function valueAt(json: Expression<unknown>, ...path: readonly string[]) {
  return fn<unknown>("jsonb_extract_path", [json, ...path.map((name) => sql.lit(name))]);
}

/** Returns the same value as text. */
export function textAt(json: Expression<unknown>, ...path: readonly string[]) {
  return fn<string | null>("jsonb_extract_path_text", [json, ...path.map((name) => sql.lit(name))]);
}

/** Returns the condition that a `jsonb` list of texts has this one. */
export function listHas(list: Expression<unknown>, text: Expression<string>) {
  return eb(list, "@>", fn<unknown>("jsonb_build_array", [text]));
}

/** Binds JSON text as `jsonb`. */
export function jsonOf<Value>(text: string) {
  return cast<Value>(eb.val(text), "jsonb");
}

const worstFirst = sql.join(findingSeverities.toReversed().map((severity) => sql.lit(severity)));

/** Ranks a severity in SQL, for an order with the worst first: 1 is critical. */
export function rankSeverity(severity: unknown): RawBuilder<number> {
  return sql<number>`array_position(ARRAY[${worstFirst}], ${severity})`;
}
