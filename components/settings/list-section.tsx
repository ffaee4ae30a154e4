"use client";

import { Button, Group, Paper, Skeleton, Table, Title } from "@mantine/core";
import { useState } from "react";
import { classifyToken } from "#components/settings/describe-token.ts";
import classes from "#components/settings/settings.module.css";
import { LoadMore, NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { TableHead } from "#components/ui/table-parts.tsx";
import { useNow } from "#components/ui/use-now.ts";
import type { ItemList } from "#lib/client/list-queries.ts";

export type ListColumn<Item> = {
  header: string;
  /** Names the row. */
  isName?: boolean;
  cell: (item: Item) => React.ReactNode;
};

type RowShape<Item> = {
  columns: readonly ListColumn<Item>[];
  /** The last column, with the buttons; its header is for screen readers. */
  act: { header: string; cell: (item: Item) => React.ReactNode };
  /** Rows that are over are dimmed. */
  isOver?: (item: Item) => boolean;
};

type RowProps<Item> = RowShape<Item> & { item: Item };

type ListSectionProps<Item extends { id: string }> = RowShape<Item> & {
  id: string;
  title: string;
  /** The subject of sentences about the list, such as "The tokens". */
  what: string;
  list: ItemList<Item>;
  /** A button beside the title. */
  action?: React.ReactNode;
  empty: React.ComponentProps<typeof NothingHere>;
};

/** Shows a list of the settings as a table, with its loading, failed and empty states. */
export function ListSection<Item extends { id: string }>(props: ListSectionProps<Item>) {
  const { id, title, what, list, action, empty, columns, act, isOver } = props;
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
        query={{ data: list.items, error: list.error, refetch: list.retry }}
        skeleton={<Skeleton height={160} aria-hidden="true" />}
      >
        {(items) =>
          items.length === 0 ? (
            <NothingHere {...empty} />
          ) : (
            <>
              <Paper withBorder className={classes.frame}>
                <div className={classes.scroll}>
                  <Table aria-labelledby={id} className={classes.table}>
                    <TableHead
                      columns={[...columns.map(({ header }) => ({ header })), { header: act.header, isHidden: true }]}
                    />
                    <Table.Tbody>
                      {items.map((item) => (
                        <Row key={item.id} item={item} columns={columns} act={act} isOver={isOver} />
                      ))}
                    </Table.Tbody>
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

/** On a narrow screen each row is a card, with the titles of the columns beside its values. */
function Row<Item>({ item, columns, act, isOver }: RowProps<Item>) {
  return (
    <Table.Tr className={isOver?.(item) ? classes.over : undefined}>
      {columns.map(({ header, isName, cell }) =>
        isName ? (
          <Table.Th key={header} scope="row" className={classes.value}>
            {cell(item)}
          </Table.Th>
        ) : (
          <Table.Td key={header} data-label={header} className={classes.value}>
            {cell(item)}
          </Table.Td>
        ),
      )}
      <Table.Td ta="right">{act.cell(item)}</Table.Td>
    </Table.Tr>
  );
}

/** Shows whether a token or a credential is still good. */
export function TokenState({ token }: { token: Parameters<typeof classifyToken>[0] }) {
  return <StateBadge shown={classifyToken(token, useNow())} size="sm" variant="plain" />;
}

/** Shows a time that may never come. */
export function TimeOrNever({ at }: { at: string | null }) {
  return at === null ? <>never</> : <RelativeTime at={at} />;
}

type ConfirmButtonProps = {
  label: string;
  /** What will be ended, for people who cannot see the row. */
  what: string;
  isPending: boolean;
  onConfirm: () => void;
};

/** Asks for a second click, in the same place, before something that cannot be undone. */
export function ConfirmButton({ label, what, isPending, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <Button size="compact-sm" variant="default" aria-label={`${label} ${what}`} onClick={() => setAsking(true)}>
        {label}
      </Button>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-sm"
        color="red"
        variant="outline"
        aria-label={`Really ${label.toLowerCase()} ${what}`}
        data-autofocus
        autoFocus
        loading={isPending}
        onClick={onConfirm}
      >
        Really {label.toLowerCase()}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => setAsking(false)} disabled={isPending}>
        Keep
      </Button>
    </Group>
  );
}
