"use client";

import { Paper, Skeleton, Stack, Table } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import classes from "#components/ui/item-table.module.css";
import { useRowWindow } from "#components/ui/use-row-window.ts";
import type { SteadyItem } from "#components/ui/use-steady-items.ts";

export type Column<Item> = {
  key: string;
  header: string;
  cell: (item: Item) => React.ReactNode;
  /** Share of the table's width, in percent. */
  width: string;
  align?: "right";
  /** For cells with short fixed text, such as a time. */
  noWrap?: boolean;
  /** The cell that names the row: it contains the row's link and is the row's header. */
  isName?: boolean;
};

type ItemTableProps<Item> = {
  caption: string;
  columns: readonly Column<Item>[];
  rows: readonly SteadyItem<Item>[];
  /** The same row as a card, for narrow screens. */
  card: (item: Item) => React.ReactNode;
};

/** Renders a table whose rows open something; below 640 px, a list of cards. Long lists render only what is in view. */
export function ItemTable<Item>({ caption, columns, rows, card }: ItemTableProps<Item>) {
  const isNarrow = useMediaQuery("(max-width: 40em)");
  const { ref, shown, before, after, measure } = useRowWindow(rows, { rowHeight: isNarrow ? 120 : 46 });
  if (isNarrow) {
    return (
      <div ref={ref}>
        <ul className={classes.cards} aria-label={caption} style={{ paddingTop: before, paddingBottom: after }}>
          {shown.map(({ row, index }) => (
            <li
              key={row.key}
              ref={measure}
              data-index={index}
              className={classes.card}
              data-row
              data-gone={row.isGone || undefined}
            >
              {card(row.item)}
            </li>
          ))}
        </ul>
      </div>
    );
  }
  return (
    <Paper ref={ref} className={classes.frame} withBorder>
      <Table className={classes.table} aria-rowcount={rows.length + 1}>
        <Table.Caption className="visually-hidden">{caption}</Table.Caption>
        <ItemTableHead columns={columns} />
        <Table.Tbody>
          {before > 0 && <Spacer height={before} />}
          {shown.map(({ row, index }) => (
            <Table.Tr
              key={row.key}
              ref={measure}
              data-index={index}
              data-row
              data-gone={row.isGone || undefined}
              aria-rowindex={index + 2}
              className={classes.row}
            >
              {columns.map((column) =>
                column.isName ? (
                  <Table.Th key={column.key} scope="row" ta={column.align} className={classes.name}>
                    {column.cell(row.item)}
                  </Table.Th>
                ) : (
                  <Table.Td key={column.key} ta={column.align} data-nowrap={column.noWrap || undefined}>
                    {column.cell(row.item)}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
          {after > 0 && <Spacer height={after} />}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function ItemTableHead<Item>({ columns }: { columns: readonly Column<Item>[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map(({ key, header, width, align }) => (
          <Table.Th key={key} scope="col" w={width} ta={align}>
            {header}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

/** Renders the table's skeleton while rows load, from the same columns. */
export function ItemTableSkeleton<Item>({ columns, rows = 8 }: { columns: readonly Column<Item>[]; rows?: number }) {
  const isNarrow = useMediaQuery("(max-width: 40em)");
  const lines = Array.from({ length: rows }, (_, index) => index);
  if (isNarrow) {
    return (
      <Stack gap="xs" aria-hidden="true">
        {lines.map((line) => (
          <Skeleton key={line} height={96} />
        ))}
      </Stack>
    );
  }
  return (
    <Paper className={classes.frame} withBorder aria-hidden="true">
      <Table className={classes.table}>
        <ItemTableHead columns={columns} />
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line}>
              {columns.map(({ key, isName }) => (
                <Table.Td key={key}>
                  <Skeleton height={14} my={6} width={isName ? "70%" : "50%"} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Spacer({ height }: { height: number }) {
  return (
    <tr style={{ height }}>
      <td />
    </tr>
  );
}
