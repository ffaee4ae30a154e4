"use client";

import { Anchor, Button, Skeleton, Stack } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import Link from "next/link";
import { useState } from "react";
import { InboxApprovals } from "#components/actions/approvals-box.tsx";
import { attentionTitles, groupByState, type Reason } from "#components/inbox/group-by-state.ts";
import classes from "#components/inbox/inbox.module.css";
import { InboxGroupView } from "#components/inbox/inbox-group-view.tsx";
import { useWakeTimes } from "#components/inbox/use-wake-times.ts";
import { ClusterChoice } from "#components/ui/common-filters.tsx";
import { FilterBar, FilterChoice } from "#components/ui/filter-bar.tsx";
import { FreshChip } from "#components/ui/fresh-chip.tsx";
import { LoadMore } from "#components/ui/load-more.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useSteadyItems } from "#components/ui/use-steady-items.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { useInbox } from "#lib/client/rollout-queries.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

const attentions = (["inconclusive", "pause", "blueGreenPromotion", "gate", "degraded"] as const).map((value) => ({
  value,
  label: attentionTitles[value],
}));

const answers = [{ value: "true", label: "acknowledged or aborted" }];

export function InboxPage() {
  const { values, applied, isFiltered, set, clear } = useFilters(["attention", "cluster", "answered"]);
  const list = useInbox(applied);
  return (
    <>
      <PageTitle>Inbox</PageTitle>
      <InboxApprovals />
      <FilterBar isFiltered={isFiltered} onClear={clear}>
        <FilterChoice label="State" value={values.attention} options={attentions} onChange={set("attention")} />
        <ClusterChoice value={values.cluster} onChange={set("cluster")} />
        <FilterChoice
          label="Show"
          unset="waiting"
          value={values.answered}
          options={answers}
          onChange={set("answered")}
        />
      </FilterBar>
      <QueryView what="The inbox" data={list.items} error={list.error} retry={list.retry} skeleton={<InboxSkeleton />}>
        {(items) =>
          items.length === 0 && isFiltered ? (
            <NothingHere
              icon={<IconCircleCheck size={40} stroke={1.2} />}
              title="No rollout matches"
              hint="No results for these filters."
              action={<Button onClick={clear}>Clear filters</Button>}
            />
          ) : (
            <InboxList key={JSON.stringify(applied)} items={items} list={list} />
          )
        }
      </QueryView>
    </>
  );
}

function InboxList({ items, list }: { items: InboxItem[]; list: ItemList<InboxItem> }) {
  const { rows, fresh, showFresh, isHeld, holdProps } = useSteadyItems(items, ({ rollout }) => rollout.id);
  const [places] = useState(() => new Map<string, Reason>());
  useWakeTimes(items);
  const groups = groupByState(rows, { isHeld, places });
  const isWaiting = groups.some(({ reason }) => reason !== "snoozed");
  return (
    <>
      <FreshChip count={fresh} onShow={showFresh} />
      {!isWaiting && (
        <NothingHere
          icon={<IconCircleCheck size={40} stroke={1.2} />}
          title="Nothing needs a decision"
          hint="Rollouts in every cluster appear here when they pause for a decision, end Inconclusive or degrade."
          action={
            <Anchor component={Link} href="/rollouts">
              All rollouts
            </Anchor>
          }
        />
      )}
      <div {...holdProps}>
        {groups.map((group, index) => (
          <InboxGroupView key={group.reason} group={group} isCut={list.hasMore && index === groups.length - 1} />
        ))}
      </div>
      <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
    </>
  );
}

function InboxSkeleton() {
  return (
    <Stack gap="sm" aria-hidden="true">
      {[0, 1, 2].map((row) => (
        <div key={row} className={classes.row}>
          <Skeleton height={18} width="45%" />
          <Skeleton height={14} width="70%" mt="sm" />
          <Skeleton height={24} width="35%" mt="sm" />
        </div>
      ))}
    </Stack>
  );
}
