"use client";

import { Paper, Skeleton, Table, Title } from "@mantine/core";
import classes from "#components/settings/settings.module.css";
import { LoadMore } from "#components/ui/load-more.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { TableHead } from "#components/ui/table-head.tsx";
import type { ItemList } from "#lib/client/list-queries.ts";

type ListSectionProps<Item> = {
  id: string;
  title: string;
  /** The subject of sentences about the list, such as "The tokens". */
  what: string;
  list: ItemList<Item>;
  /** A button beside the title. */
  action?: React.ReactNode;
  empty: React.ComponentProps<typeof NothingHere>;
  /** Titles of the columns but the last one, which acts. */
  columns: readonly string[];
  /** What the last column does, for people who cannot see it. */
  acts: string;
  /** One row. */
  children: (item: Item) => React.ReactNode;
};

/** Shows a list of the settings as a table, with its loading, failed and empty states. */
export function ListSection<Item>({
  id,
  title,
  what,
  list,
  action,
  empty,
  columns,
  acts,
  children,
}: ListSectionProps<Item>) {
  return (
    <section aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {action}
      </div>
      <QueryView
        what={what}
        data={list.items}
        error={list.error}
        retry={list.retry}
        skeleton={<Skeleton height={160} aria-hidden="true" />}
      >
        {(items) =>
          items.length === 0 ? (
            <NothingHere {...empty} />
          ) : (
            <>
              <Paper withBorder className={classes.frame}>
                <div className={classes.scroll}>
                  <Table aria-labelledby={id} className={classes.table} style={labelsOf(columns)}>
                    <TableHead columns={[...columns.map((header) => ({ header })), { header: acts, isHidden: true }]} />
                    <Table.Tbody>{items.map(children)}</Table.Tbody>
                  </Table>
                </div>
              </Paper>
              <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
            </>
          )
        }
      </QueryView>
    </section>
  );
}

/** Titles for a narrow screen, on which each row is a card: the cells take them from the table by their place. */
function labelsOf(columns: readonly string[]): React.CSSProperties {
  return Object.fromEntries(columns.map((header, index) => [`--label-${index + 1}`, JSON.stringify(header)]));
}
