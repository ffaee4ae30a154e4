"use client";

import { Button, Table, Text } from "@mantine/core";
import { useState } from "react";
import classes from "#components/insights/insights.module.css";
import { Section } from "#components/ui/section.tsx";

export type FigureColumn<Row> = {
  key: string;
  header: string;
  /** What its figures are, below the header. */
  headHint?: string;
  /** Names the row. */
  isName?: boolean;
  align?: "right";
  cell: (row: Row) => React.ReactNode;
};

type FigureTableProps<Row> = {
  id: string;
  title: string;
  hint?: React.ReactNode;
  columns: readonly FigureColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** How many there are; more than are shown are announced. */
  count: number;
};

/** What matters most comes first; the rest is shown on request. */
const firstRows = 10;

/** Renders a table of figures. On a narrow screen each row is a card with the headers beside its values. */
export function FigureTable<Row>({ id, title, hint, columns, rows, keyOf, count }: FigureTableProps<Row>) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, firstRows);
  return (
    <Section id={id} title={title} className={classes.panel} mb={2}>
      {hint !== undefined && (
        <Text size="sm" c="dimmed" mb="xs" className={classes.words}>
          {hint}
        </Text>
      )}
      {/* The roles survive the cards' styles, which take the table's own away. */}
      <Table className={classes.figures} role="table" aria-labelledby={id}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map(({ key, header, headHint, align }) => (
              <Table.Th key={key} scope="col" role="columnheader" data-number={align === "right" || undefined}>
                {header}
                {headHint !== undefined && <span className={classes.place}>{headHint}</span>}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {shown.map((row) => (
            <Table.Tr key={keyOf(row)} role="row">
              {columns.map(({ key, header, align, isName, cell }) =>
                isName ? (
                  <Table.Th key={key} scope="row" role="rowheader" className={classes.name}>
                    {cell(row)}
                  </Table.Th>
                ) : (
                  <Table.Td key={key} role="cell" data-label={header} data-number={align === "right" || undefined}>
                    <span>{cell(row)}</span>
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length > firstRows && (
        <>
          <Button
            size="xs"
            variant="default"
            mt="xs"
            className={classes.more}
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? `Show the first ${firstRows}` : `Show all ${rows.length}`}
          </Button>
          {!isWhole && (
            <p className={classes.paper}>
              The first {firstRows} of {rows.length}.
            </p>
          )}
        </>
      )}
      {count > rows.length && (
        <Text size="sm" c="dimmed" mt="xs">
          The first {rows.length} of {count}. Filter for the others.
        </Text>
      )}
    </Section>
  );
}
