import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { z } from "zod";
import type { HistoryTable } from "./history-tables.ts";

/** A row as PostgreSQL's `row_to_json` gives it. */
export type HistoryRow = Record<string, unknown>;

export type PackedHistory = {
  /** When the last thing happened. */
  endedAt: string;
  rows: Partial<Record<HistoryTable, HistoryRow[]>>;
  /** The lines of the sandbox's snapshot: the objects as the history left them. */
  objects: string[];
};

const Head = z.strictObject({ endedAt: z.iso.datetime() });
const Columns = z.strictObject({ count: z.int(), columns: z.record(z.string(), z.array(z.unknown())) });
const Body = z.strictObject({ tables: z.record(z.string(), Columns), objects: z.array(z.string()) });

/** Packs column by column: what repeats stands together. The time of the end has a line of its own. */
export function packHistory({ endedAt, rows, objects }: PackedHistory): Buffer {
  const packed = Object.entries(rows).map(([table, list]) => [table, toColumns(list)] as const);
  const text = `${JSON.stringify({ endedAt })}\n${JSON.stringify({ tables: Object.fromEntries(packed), objects })}`;
  return brotliCompressSync(Buffer.from(text), {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
}

/** Unpacks a history. `change` gets the whole text with the time of its end, and returns the text to read. */
export function unpackHistory(packed: Buffer, change: (text: string, endedAt: string) => string): PackedHistory {
  const text = brotliDecompressSync(packed).toString("utf8");
  const lineEnd = text.indexOf("\n");
  const head = Head.parse(JSON.parse(text.slice(0, lineEnd)));
  const changed = change(text, head.endedAt);
  const { endedAt } = Head.parse(JSON.parse(changed.slice(0, lineEnd)));
  const { tables, objects } = Body.parse(JSON.parse(changed.slice(lineEnd)));
  const rows = Object.fromEntries(Object.entries(tables).map(([table, columns]) => [table, toRows(columns)]));
  return { endedAt, rows, objects };
}

function toColumns(rows: readonly HistoryRow[]): z.infer<typeof Columns> {
  const names = Object.keys(rows[0] ?? {});
  return { count: rows.length, columns: Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])])) };
}

function toRows({ count, columns }: z.infer<typeof Columns>): HistoryRow[] {
  const entries = Object.entries(columns);
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(entries.map(([name, values]) => [name, values[index]])),
  );
}
