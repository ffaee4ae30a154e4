import { sql } from "kysely";
import type { ParsedValue } from "#lib/contract/analysis-run.ts";
import type { MeasuredValue } from "#lib/domain/delivery/measuring.ts";
import { type RunPhase, runPhases } from "#lib/domain/delivery/run-phase.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";

// The short forms in rows of `measurement`. There are millions of them, and the words would take a fifth of each.

export const phaseCodes = {
  Pending: "P",
  Running: "R",
  Successful: "S",
  Failed: "F",
  Error: "E",
  Inconclusive: "I",
} as const satisfies Record<RunPhase, Column.PhaseCode>;

export const kindCodes = {
  number: "n",
  array: "a",
  nan: "N",
  "+inf": "+",
  "-inf": "-",
  object: "o",
  string: "s",
  empty: "e",
  unparsable: "u",
} as const satisfies Record<ParsedValue["kind"], Column.KindCode>;

const phases: ReadonlyMap<string, RunPhase> = new Map(runPhases.map((phase) => [phaseCodes[phase], phase]));
const kinds = {
  n: "number",
  a: "array",
  N: "nan",
  "+": "+inf",
  "-": "-inf",
  o: "object",
  s: "string",
  e: "empty",
  u: "unparsable",
} as const satisfies Record<Column.KindCode, ParsedValue["kind"]>;

/** Encodes a phase as the controller wrote it, even if it is none that we know. */
export function encodePhase(word: string): Column.PhaseCode {
  const phase = runPhases.find((each) => each === word);
  return phase === undefined ? `?${word}` : phaseCodes[phase];
}

export function decodePhase(code: Column.PhaseCode): string {
  return phases.get(code) ?? code.slice(1);
}

export function decodeKind(code: Column.KindCode): ParsedValue["kind"] {
  return kinds[code];
}

/**
 * Returns the value to store: empty for a text that `valueText` makes of the number. PostgreSQL and JavaScript write the
 * same digits of a number, and neither writes an exponent within these bounds.
 */
export function encodeValue(text: string | undefined, { kind, number }: MeasuredValue): string | null {
  if (text === undefined) return null;
  if (number === undefined || !isPlain(number)) return text;
  const derived = kind === "array" ? `[${number}]` : kind === "number" ? `${number}` : undefined;
  return text === derived ? "" : text;
}

function isPlain(number: number): boolean {
  const size = Math.abs(number);
  return Object.is(number, 0) || (size >= 1e-4 && size < 1e15);
}

const { ref } = fragment<{ m: "measurement" }>();

/** The text of the value of measurement `m`, or null without one. */
export const valueText = sql<string | null>`COALESCE(NULLIF(${ref("m.value")}, ''), CASE ${ref("m.parsed_kind")}
  WHEN ${sql.lit(kindCodes.number)} THEN ${ref("m.parsed")}::text
  WHEN ${sql.lit(kindCodes.array)} THEN '[' || ${ref("m.parsed")}::text || ']' ELSE ${ref("m.value")} END)`;

/** What the source of measurement `m` noted, or null. */
export const notes = sql<Column.Texts | null>`NULLIF(${ref("m.metadata")}, '')::jsonb`;
