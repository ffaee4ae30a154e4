import fc from "fast-check";
import { sql } from "kysely";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";
import { encodeValue, kindCodes, valueText } from "./measurement-codes.ts";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool(database.webUrl);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const digits = fc.integer({ min: -(10 ** 9), max: 10 ** 9 });
const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  // As ratios and durations are: most have 16 or 17 digits.
  fc.tuple(digits, fc.integer({ min: 1, max: 10 ** 6 })).map(([over, under]) => over / under),
  // Near a power of two, where the shortest digits are the hardest to find.
  fc.tuple(fc.integer({ min: -60, max: 60 }), fc.integer({ min: -4, max: 4 })).map(([power, step]) => {
    const whole = 2 ** power;
    return whole + step * whole * Number.EPSILON;
  }),
  fc.tuple(digits, fc.integer({ min: 0, max: 12 })).map(([whole, places]) => whole / 10 ** places),
);
const texts = fc.oneof(
  { weight: 8, arbitrary: numbers.map(String) },
  {
    weight: 4,
    arbitrary: fc.tuple(digits, fc.integer({ min: 0, max: 20 })).map(([whole, at]) => `${whole}e${at - 10}`),
  },
  { weight: 4, arbitrary: fc.tuple(numbers, fc.integer({ min: 0, max: 20 })).map(([n, places]) => n.toFixed(places)) },
  { weight: 2, arbitrary: fc.stringMatching(/^[+-]?[0-9]{0,20}\.?[0-9]{0,20}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "0", "-0", "00", "NaN", "+Inf", "null", "1.", ".5", "[]", "[NaN]", "{}"),
  },
);
const values = fc.tuple(texts, texts, fc.integer({ min: 0, max: 9 })).map(([text, other, form]) => {
  if (form < 4) return text;
  if (form < 8) return `[${text}]`;
  return form === 8 ? `[${text}, ${other}]` : ` [${text} ]`;
});

/** Stores the texts and reads them again. */
async function readBack(stored: readonly (ReturnType<typeof encode> & object)[]) {
  const columns = sql`unnest(${stored.map(({ value }) => value)}::text[], ${stored.map(({ kind }) => kind)}::text[],
    ${stored.map(({ parsed }) => parsed)}::float8[]) WITH ORDINALITY m (value, parsed_kind, parsed, place)`;
  return readRows(pool, sql<{ text: string | null }>`SELECT ${valueText} AS text FROM ${columns} ORDER BY place`);
}

function encode(text: string, kind: "AnalysisRun" | "Canary") {
  const parsed = measuringProviderOf(kind).parseValue(text);
  return { value: encodeValue(text, parsed), kind: kindCodes[parsed.kind], parsed: parsed.number ?? null };
}

it.each(["AnalysisRun", "Canary"] as const)("gives back each text of a value of %s, byte by byte", async (kind) => {
  let short = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(values, { minLength: 200, maxLength: 400 }), async (all) => {
      const stored = all.map((text) => encode(text, kind));
      short += stored.filter(({ value }) => value === "").length;
      expect((await readBack(stored)).map(({ text }) => text)).toEqual(all);
    }),
    { numRuns: 100 },
  );
  // Else nothing was tested but texts.
  expect(short).toBeGreaterThan(1000);
});
