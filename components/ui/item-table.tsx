"use client";

import { Paper, Skeleton, Stack, Table } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { showCutText } from "#components/ui/hostile-text.tsx";
import classes from "#components/ui/item-table.module.css";
import type { Density } from "#components/ui/list-preferences.ts";
import { describeSort, nextSort } from "#components/ui/next-sort.ts";
import { useRowWindow } from "#components/ui/use-row-window.ts";
import type { SteadyItem } from "#components/ui/use-steady-items.ts";

export type Column<Item> = {
  key: string;
  header: string;
  /** In place of the words, such as a checkbox for all rows. */
  head?: React.ReactNode;
  cell: (item: Item) => React.ReactNode;
  /** Share of the table's width, in percent of the sum over the shown columns. */
  width: string;
  align?: "right";
  /** For cells with short fixed text, such as a time. */
  noWrap?: boolean;
  /** The cell that names the row: it contains the row's link and is the row's header. */
  isName?: boolean;
  /** The server's name of the order by this column. */
  sort?: string;
  /** The first click sorts downwards: the newest or the longest first. */
  sortsDown?: boolean;
  /** When the table gets narrow, columns with 1 leave first, then 2, then 3; without a number they stay. */
  leaves?: 1 | 2 | 3;
  /** Shown only if the reader chooses it. */
  isExtra?: boolean;
};

/** The order of a table, by the server's names; `-` in front is descending. */
export type TableOrder = { sort: string; onSort: (sort: string) => void };

type ItemTableProps<Item> = {
  caption: string;
  columns: readonly Column<Item>[];
  rows: readonly SteadyItem<Item>[];
  /** The same row as a card, for narrow screens. */
  card: (item: Item) => React.ReactNode;
  order?: TableOrder | undefined;
  density?: Density;
};

const rowHeights = { comfortable: 44, compact: 36 } as const satisfies Record<Density, number>;

/** Renders a table whose rows open a page; below 640 px, a list of cards. Long lists render only the rows in view. */
export function ItemTable<Item>(props: ItemTableProps<Item>) {
  const { caption, columns, rows, card, order, density = "comfortable" } = props;
  const isNarrow = useMediaQuery("(max-width: 40em)");
  const { ref, shown, before, after, measure } = useRowWindow(rows, {
    rowHeight: isNarrow ? 120 : rowHeights[density],
  });
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
    <Paper ref={ref} className={classes.frame} withBorder onPointerMove={showCutText}>
      <Table className={classes.table} data-density={density} aria-rowcount={rows.length + 1}>
        <Table.Caption className="visually-hidden">{caption}</Table.Caption>
        <ItemTableHead columns={columns} order={order} />
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
                  <Table.Th
                    key={column.key}
                    scope="row"
                    ta={column.align}
                    className={classes.name}
                    data-leaves={column.leaves}
                  >
                    {column.cell(row.item)}
                  </Table.Th>
                ) : (
                  <Table.Td
                    key={column.key}
                    ta={column.align}
                    data-nowrap={column.noWrap || undefined}
                    data-leaves={column.leaves}
                  >
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

type HeadProps<Item> = { columns: readonly Column<Item>[]; order?: TableOrder | undefined };

function ItemTableHead<Item>({ columns, order }: HeadProps<Item>) {
  return (
    <Table.Thead className={classes.head}>
      <Table.Tr>
        {columns.map((column) => {
          const { key, header, head = header, width, align, leaves } = column;
          const sorted = order === undefined ? undefined : describeSort(column, order.sort);
          return (
            <Table.Th key={key} scope="col" w={width} ta={align} data-leaves={leaves} aria-sort={sorted}>
              {/* Browsers draw no buttons in the heads that they repeat on each page of paper. */}
              <span className={order === undefined || sorted === undefined ? undefined : classes.printed}>
                {head}
                {sorted !== undefined && sorted !== "none" && ` ${sortMarks[sorted]}`}
              </span>
              {order !== undefined && sorted !== undefined && (
                <button
                  type="button"
                  className={classes.sort}
                  data-sorted={sorted}
                  data-align={align}
                  onClick={() => order.onSort(nextSort(column, order.sort))}
                >
                  {header}
                  <span aria-hidden="true" className={classes.mark}>
                    {sortMarks[sorted]}
                  </span>
                </button>
              )}
            </Table.Th>
          );
        })}
      </Table.Tr>
    </Table.Thead>
  );
}

const sortMarks = { ascending: "↑", descending: "↓", none: "↕" } as const;

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
              {columns.map(({ key, isName, leaves }) => (
                <Table.Td key={key} data-leaves={leaves}>
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
