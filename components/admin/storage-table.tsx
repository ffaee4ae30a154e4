import { Paper, Table, Text } from "@mantine/core";
import classes from "#components/admin/admin.module.css";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { type HeadColumn, TableHead } from "#components/ui/table-parts.tsx";
import type { StoredTable } from "#lib/contract/admin.ts";

const columns: readonly HeadColumn[] = [
  { header: "Table", width: "24%" },
  { header: "Size", align: "right" },
  { header: "Indexes", align: "right" },
  { header: "TOAST", align: "right" },
  { header: "Rows (estimate)", align: "right" },
  { header: "Growth per day", align: "right" },
  { header: "Oldest and newest", width: "20%" },
  { header: "Retention", width: "11%" },
];

type StorageTableProps = { tables: readonly StoredTable[]; isNarrow: boolean | undefined };

/** Shows the tables, largest first; on a narrow screen as cards. */
export function StorageTable({ tables, isNarrow }: StorageTableProps) {
  if (isNarrow)
    return (
      <ul className={classes.cards} aria-labelledby="tables">
        {tables.map((table) => (
          <li key={table.table} className={classes.card}>
            <code>{table.table}</code>
            <Text size="sm">
              {formatBytes(table.bytes)}, {rowsOf(table)} rows, {growthOf(table)} a day, retention: {keptOf(table)}
            </Text>
            <Times table={table} />
          </li>
        ))}
      </ul>
    );
  return (
    <Paper withBorder className={classes.frame}>
      <Table aria-labelledby="tables" className={classes.table} verticalSpacing={4}>
        <TableHead columns={columns} />
        <Table.Tbody>
          {tables.map((table) => (
            <Table.Tr key={table.table} data-row>
              <Table.Th scope="row">
                <code>{table.table}</code>
                {table.partitions > 0 && (
                  <Text size="xs" c="dimmed" fw={400}>
                    {table.partitions} partitions
                  </Text>
                )}
              </Table.Th>
              <Table.Td className={classes.number}>{formatBytes(table.bytes)}</Table.Td>
              <Table.Td className={classes.number}>{formatBytes(table.indexBytes)}</Table.Td>
              <Table.Td className={classes.number}>{formatBytes(table.toastBytes)}</Table.Td>
              <Table.Td className={classes.number}>{rowsOf(table)}</Table.Td>
              <Table.Td className={classes.number}>{growthOf(table)}</Table.Td>
              <Table.Td>
                <Times table={table} />
              </Table.Td>
              <Table.Td>{keptOf(table)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function rowsOf({ rows }: StoredTable): string {
  return rows === null ? "unknown" : formatEstimate(rows);
}

function growthOf({ bytesPerDay, rowsPerDay }: StoredTable): string {
  if (bytesPerDay !== null) return `about ${formatBytes(bytesPerDay)}`;
  return rowsPerDay === null ? "unknown" : `${formatEstimate(rowsPerDay)} rows`;
}

function keptOf({ retention }: StoredTable): string {
  if (retention === null) return "no rule";
  return retention === "never" ? "forever" : retention;
}

const monthFormat = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

function Times({ table: { oldest, newest, timesFrom, problem } }: { table: StoredTable }) {
  if (problem !== null)
    return (
      <Text size="sm" c="dimmed">
        {problem}
      </Text>
    );
  if (timesFrom === null)
    return (
      <Text size="sm" c="dimmed">
        unknown
      </Text>
    );
  if (oldest === null)
    return (
      <Text size="sm" c="dimmed">
        no rows
      </Text>
    );
  // Partitions tell the month only.
  if (newest === null) return <>since {monthFormat.format(new Date(oldest))}</>;
  return (
    <>
      <RelativeTime at={oldest} />
      {" to "}
      <RelativeTime at={newest} />
    </>
  );
}

const units = ["B", "kB", "MB", "GB", "TB"] as const;

/** Formats bytes with three digits at most and a decimal unit: `8.19 kB`, `512 MB`. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (Math.abs(value) >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${Number(value.toPrecision(3))}\u202F${units[unit]}`;
}

/** Formats an estimate: two digits, since it is no count. */
export function formatEstimate(count: number): string {
  if (count === 0) return "0";
  if (count < 1) return "less than 1";
  return Number(count.toPrecision(2)).toLocaleString("en-GB");
}
