import { type Expression, type SqlBool, sql } from "kysely";
import { fragment } from "./tables.ts";

const { cast, fn, lit } = fragment<Record<never, never>>();

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

/** The hour of the day, from 0 to 23. */
export function hourOf(time: Expression<Date>, timeZone: string) {
  return sql<number>`extract(hour FROM ${time} AT TIME ZONE ${timeZone})::int`;
}

/** A time as the API writes it, for JSON that PostgreSQL builds. */
export function timeOf(time: Expression<Date | null>) {
  return sql<string>`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
