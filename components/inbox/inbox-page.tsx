"use client";

import { Button, Skeleton, Stack, Text, VisuallyHidden } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useEffect, useRef, useState } from "react";
import { InboxApprovals } from "#components/actions/approvals-box.tsx";
import { attentionTitles } from "#components/inbox/attention-titles.ts";
import { findPinnedRow } from "#components/inbox/find-pinned-row.ts";
import { HandledRows } from "#components/inbox/handled-rows.tsx";
import classes from "#components/inbox/inbox.module.css";
import { InboxRow } from "#components/inbox/inbox-row.tsx";
import { type Part, splitRows } from "#components/inbox/split-rows.ts";
import { useDepartures } from "#components/inbox/use-departures.ts";
import { useWakeTimes } from "#components/inbox/use-wake-times.ts";
import { listArrivals, listDepartures, wordNews } from "#components/inbox/word-news.ts";
import { ClusterChoice } from "#components/ui/common-filters.tsx";
import { FilterBar, FilterChoice } from "#components/ui/filter-bar.tsx";
import { findWrongFilters } from "#components/ui/find-wrong-filters.ts";
import { FreshChip } from "#components/ui/fresh-chip.tsx";
import { LoadMore } from "#components/ui/load-more.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { showCutText } from "#components/ui/show-cut-text.ts";
import { useFilters } from "#components/ui/use-filters.ts";
import { useSteadyItems } from "#components/ui/use-steady-items.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { useAnsweredInbox, useInbox } from "#lib/client/rollout-queries.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

const NothingWaits = dynamic(
  () => import("#components/inbox/nothing-waits.tsx").then((module) => module.NothingWaits),
  { ssr: false },
);
const WrongFilters = dynamic(() => import("#components/ui/wrong-filters.tsx").then((module) => module.WrongFilters), {
  ssr: false,
});
const NotifyMe = dynamic(() => import("#components/inbox/notify-me.tsx").then((module) => module.NotifyMe), {
  ssr: false,
});

const attentions = (["inconclusive", "pause", "blueGreenPromotion", "gate", "degraded", "finding"] as const).map(
  (value) => ({ value, label: attentionTitles[value] }),
);

export function InboxPage() {
  const { values, applied, isFiltered, set, clear, remove } = useFilters(["attention", "cluster"]);
  const list = useInbox(applied);
  const wrong = findWrongFilters(list.error, values);
  const answered = useAnsweredInbox(applied);
  return (
    <>
      <PageTitle aside={<NotifyMe />}>Inbox</PageTitle>
      <InboxApprovals />
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterChoice label="State" value={values.attention} options={attentions} onChange={set("attention")} />
        <ClusterChoice value={values.cluster} onChange={set("cluster")} />
      </FilterBar>
      {wrong.length > 0 ? (
        <WrongFilters wrong={wrong} noun="the rows of the inbox" state={{ remove }} />
      ) : (
        <QueryView
          what="The inbox"
          data={list.items}
          error={list.error}
          retry={list.retry}
          skeleton={<InboxSkeleton />}
        >
          {(items) => (
            <InboxList
              key={JSON.stringify(applied)}
              {...{ items, list, answered }}
              nothing={isFiltered ? <NothingMatches onClear={clear} /> : <NothingWaits />}
            />
          )}
        </QueryView>
      )}
    </>
  );
}

type InboxListProps = {
  items: InboxItem[];
  list: ItemList<InboxItem>;
  answered: ItemList<InboxItem>;
  /** Shown if nothing waits. */
  nothing: React.ReactNode;
};

function InboxList({ items, list, answered, nothing }: InboxListProps) {
  const { rows: steady, fresh, showFresh, isHeld, holdProps } = useSteadyItems(items, ({ rollout }) => rollout.id);
  const rows = useDepartures(steady, findPinnedRow);
  const [places] = useState(() => new Map<string, Part>());
  useWakeTimes(items);
  const { waiting, snoozed } = splitRows(rows, { isHeld, places });
  const suggested = waiting.find(({ item, isGone }) => !isGone && item.actions.some(({ allowed }) => allowed))?.key;
  return (
    <>
      <InboxNews items={items} />
      <FreshChip count={fresh} onShow={showFresh} />
      {waiting.length === 0 ? (
        nothing
      ) : (
        <Text size="xs" c="dimmed" mb="xs">
          Ordered by live traffic on the new version, then severity, then age.
        </Text>
      )}
      <div {...holdProps} onPointerMove={showCutText}>
        <ul className={classes.ranked} aria-label="Waiting">
          {waiting.map(({ key, ...row }) => (
            <InboxRow key={key} {...row} isSuggested={key === suggested} />
          ))}
        </ul>
        <HandledRows snoozed={snoozed} answered={answered} />
      </div>
      <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
    </>
  );
}

function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <NothingHere
      icon={<IconCircleCheck size={40} stroke={1.2} />}
      title="No rollout matches"
      hint="No results for these filters."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  );
}

function InboxSkeleton() {
  return (
    <Stack gap="sm" aria-hidden="true">
      {[0, 1, 2].map((row) => (
        <div key={row} className={classes.row}>
          <div className={classes.main}>
            <Skeleton height={18} width="45%" />
            <Skeleton height={14} width="70%" mt="sm" />
            <Skeleton height={24} width="35%" mt="sm" />
          </div>
        </div>
      ))}
    </Stack>
  );
}

/** Tells screen readers which rows come and go. The rows themselves say nothing: they change in place. */
function InboxNews({ items }: { items: readonly InboxItem[] }) {
  const [openedMs] = useState(serverNowMs);
  const [news, setNews] = useState("");
  const previous = useRef(items);
  useEffect(() => {
    const [before, now] = [previous.current, items];
    previous.current = items;
    const words = wordNews({
      arrived: listArrivals(before, now, openedMs),
      left: listDepartures(before, now),
    });
    if (words !== undefined) setNews(words);
  }, [items, openedMs]);
  return <VisuallyHidden role="status">{news}</VisuallyHidden>;
}
