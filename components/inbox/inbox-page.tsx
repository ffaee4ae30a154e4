"use client";

import { Button, Group, Skeleton, Title, VisuallyHidden } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useEffect, useRef, useState } from "react";
import { InboxApprovals } from "#components/actions/approvals-box.tsx";
import { findPinnedRow, findUnfinished, orderGroups, type Part, splitRows } from "#components/inbox/arrange-rows.ts";
import type { AskedOfMany } from "#components/inbox/group-row.tsx";
import { groupRows, isRowGroup } from "#components/inbox/group-rows.ts";
import { HandledRows } from "#components/inbox/handled-rows.tsx";
import classes from "#components/inbox/inbox.module.css";
import { InboxRow } from "#components/inbox/inbox-row.tsx";
import { MineButton } from "#components/inbox/mine-button.tsx";
import { useDepartures } from "#components/inbox/use-departures.ts";
import { attentionTitles, listArrivals, listDepartures, wordNews } from "#components/inbox/word-news.ts";
import {
  ClusterChoice,
  FilterBar,
  FilterChoice,
  FilterText,
  SetChoice,
  TeamChoice,
} from "#components/ui/filter-bar.tsx";
import { findWrongFilters } from "#components/ui/find-wrong-filters.ts";
import { FreshChip } from "#components/ui/fresh-chip.tsx";
import { showCutText } from "#components/ui/hostile-text.tsx";
import { IconCircleCheck } from "#components/ui/icons.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { LoadMore, NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useSteadyItems } from "#components/ui/use-steady-items.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { useAnsweredInbox, useInbox } from "#lib/client/rollout-queries.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";
import { type WaitGroup, waitGroups } from "#lib/domain/waiting/rank-wait.ts";

const GroupRow = dynamic(() => import("#components/inbox/group-row.tsx").then((module) => module.GroupRow), {
  ssr: false,
  loading: () => (
    <li className={classes.row}>
      <div className={classes.line} />
    </li>
  ),
});
const NothingWaits = dynamic(
  () => import("#components/inbox/nothing-waits.tsx").then((module) => module.NothingWaits),
  { ssr: false },
);
const WrongFilters = dynamic(() => import("#components/ui/wrong-filters.tsx").then((module) => module.WrongFilters), {
  ssr: false,
});
const FreezeButton = dynamic(
  () => import("#components/actions/freeze-button.tsx").then((module) => module.FreezeButton),
  { ssr: false },
);
const ManyDialog = dynamic(() => import("#components/actions/many-dialog.tsx").then((module) => module.ManyDialog), {
  ssr: false,
});
const SetAborts = dynamic(() => import("#components/actions/set-aborts.tsx").then((module) => module.SetAborts), {
  ssr: false,
});
const NotifyMe = dynamic(() => import("#components/inbox/notify-me.tsx").then((module) => module.NotifyMe), {
  ssr: false,
});

const groupTitles: Record<WaitGroup, string> = { decide: "Decide", fix: "Fix", look: "Review" };

const attentions = (["inconclusive", "pause", "blueGreenPromotion", "gate", "degraded", "finding"] as const).map(
  (value) => ({ value, label: attentionTitles[value] }),
);

export function InboxPage() {
  const { values, applied, isFiltered, set, clear, remove } = useFilters([
    "mine",
    "attention",
    "cluster",
    "team",
    "set",
    "label",
  ]);
  const list = useInbox(applied);
  const wrong = findWrongFilters(list.error, values);
  const answered = useAnsweredInbox(applied);
  const hasSets = (useMe().data?.sets ?? []).length > 0;
  return (
    <>
      <PageTitle
        aside={
          <Group gap="xs" className={classes.aside}>
            <FreezeButton />
            <NotifyMe />
          </Group>
        }
      >
        Inbox
      </PageTitle>
      <InboxApprovals />
      {hasSets && <SetAborts />}
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <MineButton items={list.items} hasMore={list.hasMore} isOn={values.mine !== ""} onChange={set("mine")} />
        <FilterChoice label="State" value={values.attention} options={attentions} onChange={set("attention")} />
        <ClusterChoice value={values.cluster} onChange={set("cluster")} />
        <TeamChoice value={values.team} onChange={set("team")} />
        <SetChoice value={values.set} onChange={set("set")} />
        {values.label !== "" && <FilterText label="Label" value={values.label} onChange={set("label")} />}
      </FilterBar>
      {wrong.length > 0 ? (
        <WrongFilters wrong={wrong} noun="the rows of the inbox" state={{ remove }} />
      ) : (
        <QueryView
          what="The inbox"
          query={{ data: list.items, error: list.error, refetch: list.retry }}
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
  const [known] = useState(() => ({
    ...{ formed: new Set<string>(), keys: new Map<string, string | undefined>() },
    order: waitGroups as readonly WaitGroup[],
  }));
  // Here, and not in the group, which may be gone before the answer arrives.
  const [asked, setAsked] = useState<AskedOfMany>();
  useWakeTimes(items);
  const groups = splitRows(rows, { isHeld, places });
  const { snoozed } = groups;
  // No section moves while a row is pointed at.
  if (!isHeld) known.order = orderGroups(groups);
  const waiting = known.order.flatMap((group) => groups[group]);
  const unfinished = list.hasMore ? findUnfinished(groups) : [];
  const suggested = waiting.find(({ item, isGone }) => !isGone && item.actions.some(({ allowed }) => allowed))?.key;
  return (
    <>
      <InboxNews items={items} />
      <FreshChip count={fresh} onShow={showFresh} />
      {waiting.length === 0 && nothing}
      <div {...holdProps} onPointerMove={showCutText}>
        <section className={classes.ranked} aria-label="Waiting">
          {known.order.map((group) => {
            const own = groups[group];
            if (own.length === 0) return null;
            return (
              <div key={group}>
                <Title order={2} id={`inbox-${group}`} className={classes.group}>
                  {groupTitles[group]}{" "}
                  <span className={classes.count}>
                    {own.length}
                    {unfinished.includes(group) && "+"}
                  </span>
                </Title>
                <ul className={classes.list} aria-labelledby={`inbox-${group}`}>
                  {groupRows(own, { isHeld, ...known }).map((entry) => {
                    if (isRowGroup(entry))
                      return <GroupRow key={entry.key} group={entry} suggested={suggested} onAsk={setAsked} />;
                    const { key, ...row } = entry;
                    return <InboxRow key={key} {...row} isSuggested={key === suggested} />;
                  })}
                </ul>
              </div>
            );
          })}
        </section>
        <HandledRows snoozed={snoozed} answered={answered} />
      </div>
      <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
      {asked !== undefined && <ManyDialog {...asked} onClose={() => setAsked(undefined)} />}
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
    <div className={classes.list} aria-hidden="true">
      {[0, 1, 2, 3, 4, 5, 6].map((row) => (
        <div key={row} className={classes.row}>
          <Skeleton height={16} mx="sm" my={14} width={`${90 - 5 * row}%`} />
        </div>
      ))}
    </div>
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

/** The database decides; its clock may be a little behind. */
const graceMs = 1_000;
/** Browsers fire a longer timer at once. */
const longestMs = 2 ** 31 - 1;

/** Reads the inbox again when the next snooze ends: the passing of time causes no change event. */
function useWakeTimes(items: readonly InboxItem[]): void {
  const client = useQueryClient();
  const [round, setRound] = useState(0);
  const next = findNextWake(items);
  // biome-ignore lint/correctness/useExhaustiveDependencies: if the row has not come back yet, the next round asks again.
  useEffect(() => {
    if (next === undefined) return;
    const delay = Math.min(longestMs, Math.max(0, next - serverNowMs()) + graceMs);
    const timer = setTimeout(() => {
      void client.invalidateQueries({ queryKey: queryKeys.inbox() });
      setRound((value) => value + 1);
    }, delay);
    return () => clearTimeout(timer);
  }, [client, next, round]);
}

/** Returns when the first snooze ends, in milliseconds; undefined if no snooze ends at a time. */
export function findNextWake(items: readonly InboxItem[]): number | undefined {
  const times = items.flatMap(({ handling: { snooze } }) =>
    snooze === null || snooze.until === null ? [] : [Date.parse(snooze.until)],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}
