import { formatGoDuration } from "#lib/util/duration.ts";
import type { Budget } from "./budget.ts";
import { formatGoFloat } from "./go-number.ts";
import { formatTime, monthNames, weekdayNames } from "./go-time.ts";
import { durationType, monthType, weekdayType } from "./go-type.ts";
import { GoFunction, GoInteger, GoList, GoLocation, GoMap, GoStruct, GoTime, type GoValue } from "./go-value.ts";

/** Formats a value as Go's `%v` does: [1 2], map[a:1], <nil>. Map keys are sorted as fmt sorts them. */
export function formatValue(value: GoValue, budget: Budget): string {
  budget.spend(2);
  if (value === null) return "<nil>";
  if (typeof value === "number") return formatGoFloat(value);
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return value;
  if (value instanceof GoInteger) return formatInteger(value);
  if (value instanceof GoList)
    return bounded(`[${value.items.map((item) => formatValue(item, budget)).join(" ")}]`, budget);
  if (value instanceof GoMap) return bounded(`map[${formatEntries(value, budget)}]`, budget);
  if (value instanceof GoStruct) {
    const fields = Array.from(value.fields.values(), (field) => formatValue(field, budget));
    return bounded(`{${fields.join(" ")}}`, budget);
  }
  if (value instanceof GoTime) return formatTime(value, "2006-01-02 15:04:05.999999999 -0700 MST", budget);
  if (value instanceof GoLocation) return value.name;
  return value instanceof GoFunction ? "0x0" : "";
}

function bounded(text: string, budget: Budget): string {
  budget.text(text.length);
  return text;
}

function formatInteger({ type, value }: GoInteger): string {
  if (type === durationType) return formatGoDuration(value);
  if (type === monthType) return monthNames[Number(value) - 1] ?? `%!Month(${value})`;
  if (type === weekdayType) return weekdayNames[Number(value)] ?? `%!Weekday(${value})`;
  return String(value);
}

function formatEntries(map: GoMap, budget: Budget): string {
  budget.spend(map.entries.size);
  const entries = [...map.entries.values()].sort(([left], [right]) => compareKeys(left, right, budget));
  return entries.map(([key, item]) => `${formatValue(key, budget)}:${formatValue(item, budget)}`).join(" ");
}

/** Compares keys as internal/fmtsort does: by kind first, then by value; strings by their bytes. */
function compareKeys(left: GoValue, right: GoValue, budget: Budget): number {
  budget.spend(1);
  const ranks = rankOf(left) - rankOf(right);
  if (ranks !== 0) return ranks;
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right, budget);
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "bigint" && typeof right === "bigint") return left < right ? -1 : Number(left > right);
  return Number(left) - Number(right);
}

function rankOf(value: GoValue): number {
  if (value === null) return 0;
  return ["bigint", "number", "string", "boolean"].indexOf(typeof value) + 1 || 9;
}

/** Compares by UTF-8 bytes, which is the order of code points. Charges for the common prefix. */
export function compareStrings(left: string, right: string, budget: Budget): number {
  const length = Math.min(left.length, right.length);
  let index = 0;
  while (index < length && left.charCodeAt(index) === right.charCodeAt(index)) index++;
  budget.read(index);
  if (index === length) return left.length - right.length;
  const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
  if (isSurrogate(a) !== isSurrogate(b)) return isSurrogate(a) ? 1 : -1;
  return a - b;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}
