"use client";

import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import classes from "#components/inbox/inbox.module.css";
import { InboxRow } from "#components/inbox/inbox-row.tsx";
import type { DepartingItem } from "#components/inbox/use-departures.ts";
import { IconChevronRight } from "#components/ui/icons.tsx";
import { LoadMore } from "#components/ui/query-view.tsx";
import type { ItemList } from "#lib/client/list-queries.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

type HandledRowsProps = {
  snoozed: readonly DepartingItem<InboxItem>[];
  /** Acknowledged, or aborted on purpose. */
  answered: ItemList<InboxItem>;
};

/** Folds the rows that were handled into one line, such as "3 snoozed, 2 acknowledged", which opens. */
export function HandledRows({ snoozed, answered }: HandledRowsProps) {
  const [isOpen, setOpen] = useState(false);
  const items = answered.items ?? [];
  const words = describeHandled({ snoozed: snoozed.length, answered: items, isCut: answered.hasMore });
  if (words === undefined) return null;
  return (
    <section aria-label="Handled" className={classes.handled}>
      <UnstyledButton
        className={classes.foldButton}
        aria-expanded={isOpen}
        aria-controls="handled-rows"
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={16} stroke={1.6} aria-hidden="true" />
        {words}
      </UnstyledButton>
      <ul id="handled-rows" className={classes.list}>
        {isOpen && snoozed.map(({ key, ...row }) => <InboxRow key={key} {...row} />)}
        {isOpen && items.map((item) => <InboxRow key={item.rollout.id} item={item} isGone={false} />)}
      </ul>
      {isOpen && <LoadMore hasMore={answered.hasMore} isLoading={answered.isLoadingMore} onLoad={answered.loadMore} />}
    </section>
  );
}

type Handled = Pick<InboxItem, "answer">;

/**
 * Describes the folded rows at the end of the inbox: "3 snoozed, 2 acknowledged, 1 aborted on purpose"; undefined
 * without rows. `isCut`: there are more answered rows than those loaded.
 */
export function describeHandled({
  snoozed,
  answered,
  isCut,
}: {
  snoozed: number;
  answered: readonly Handled[];
  isCut: boolean;
}): string | undefined {
  const acknowledged = answered.filter(({ answer }) => answer?.kind === "acknowledged").length;
  const aborted = answered.length - acknowledged;
  const parts = [
    snoozed > 0 ? `${snoozed} snoozed` : undefined,
    acknowledged > 0 ? `${acknowledged} acknowledged` : undefined,
    aborted > 0 ? `${aborted} aborted on purpose` : undefined,
    isCut ? "and more" : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(", ");
}
