import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { formatCsvCell } from "#lib/util/format-csv-cell.ts";

export type CsvValue = string | number | boolean | null | undefined | readonly string[];
/** A column of a list's export. Its name is the path of the field in the API, such as `rollout.name`. */
export type CsvColumn<Item> = readonly [name: string, read: (item: Item) => CsvValue];
export type ListExport = { fileName: string; contentType: string; lines: AsyncGenerator<string> };

/** Rows in memory at once, however long the list. */
const pageSize = 200;

type Page<Item> = { items: readonly (Item | undefined)[]; nextCursor: string | null };

type PagePlace = { limit: number; cursor: string | undefined };

type Exported<Item, Input> = {
  name: string;
  columns: readonly CsvColumn<Item>[];
  list: (call: { ctx: ServiceContext; input: Input & PagePlace }) => Promise<Page<Item>>;
};

/**
 * Makes the CSV export of a list: the rows that `list` returns to this person with these filters, in its order, page by
 * page. Throws the error of the first page, so that a refusal is an answer and not a broken table. Rows that change
 * their place meanwhile may be missing or appear twice, as in the pages of the list.
 */
export function exportOf<Item, Input>({ name, columns, list }: Exported<Item, Input>) {
  return async ({ ctx, input }: Call<Input>): Promise<ListExport> => {
    const readPage = (page: PagePlace) => list({ ctx, input: { ...input, ...page } });
    const first = await readPage({ limit: pageSize, cursor: undefined });
    return {
      fileName: `gatehouse-${name}.csv`,
      contentType: "text/csv; charset=utf-8",
      lines: writeTable({ columns, first, readPage }),
    };
  };
}

/** Returns a column for each of these fields, by its name; a nested value is written as JSON. */
export function columnsOf<Item>(fields: readonly (keyof Item & string)[]): CsvColumn<Item>[] {
  return fields.map((field) => [field, (item) => toCsvValue(item[field])]);
}

function toCsvValue(value: unknown): CsvValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return value === null || value === undefined ? value : JSON.stringify(value);
}

/** Formats how many runs have each phase, as the values of one cell. */
export function formatPhaseCounts(byPhase: Readonly<Record<string, number>>): string[] {
  return Object.entries(byPhase).map(([phase, count]) => `${phase} ${count}`);
}

async function* writeTable<Item>({
  columns,
  first,
  readPage,
}: {
  columns: readonly CsvColumn<Item>[];
  first: Page<Item>;
  readPage: (page: PagePlace) => Promise<Page<Item>>;
}): AsyncGenerator<string> {
  let page = first;
  yield `${columns.map(([name]) => name).join(",")}\r\n${writeRows(columns, page)}`;
  while (page.nextCursor !== null) {
    page = await readPage({ limit: pageSize, cursor: page.nextCursor });
    yield writeRows(columns, page);
  }
}

/** A row that cannot be read is left out, as in the list. */
function writeRows<Item>(columns: readonly CsvColumn<Item>[], { items }: Page<Item>): string {
  return items
    .filter((item) => item !== undefined)
    .map((item) => `${columns.map(([, read]) => formatValue(read(item))).join(",")}\r\n`)
    .join("");
}

/** An unknown value is an empty cell; several values are separated by semicolons. */
function formatValue(value: CsvValue): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return String(value);
  return formatCsvCell(typeof value === "object" ? value.join("; ") : value);
}
