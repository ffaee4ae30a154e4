"use client";

import { Button, SegmentedControl, Skeleton, Text, Title } from "@mantine/core";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import classes from "#components/rollouts/rollouts.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconAlertTriangle, IconPointFilled } from "#components/ui/icons.tsx";
import { LoadMore, QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useNow } from "#components/ui/use-now.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { useRolloutEvents } from "#lib/client/rollout-queries.ts";
import type { RolloutEvent } from "#lib/contract/cluster-objects.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

const choices = ["warnings", "all"] as const;

/**
 * Shows the cluster's own Events about the rollout and its pods: by default only warnings of the last day, which someone
 * on call looks for. "What happened" tells the rest better, and warnings of earlier revisions are no alarm.
 */
export function ClusterEvents({ rollout }: { rollout: ObjectRef }) {
  const [choice, setChoice] = useQueryState(
    "events",
    parseAsStringLiteral(choices).withDefault("warnings").withOptions({ history: "replace" }),
  );
  const list = useRolloutEvents(rollout, choice === "warnings" ? { type: "Warning" } : {});
  return (
    <section className={classes.panel} aria-labelledby="cluster-events">
      <div className={classes.panelHead}>
        <Title order={2} id="cluster-events">
          Kubernetes events
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Which events"
          value={choice}
          onChange={(value) => void setChoice(value === "all" ? "all" : "warnings")}
          data={[
            { value: "warnings", label: "Warnings" },
            { value: "all", label: "All" },
          ]}
        />
      </div>
      <QueryView
        what="The events"
        query={{ data: list.isPlaceholder ? undefined : list.items, error: list.error, refetch: list.retry }}
        skeleton={<Skeleton height={80} />}
      >
        {(events) => <EventList key={choice} events={events} list={list} foldsOld={choice === "warnings"} />}
      </QueryView>
    </section>
  );
}

type EventListProps = { events: RolloutEvent[]; list: ItemList<RolloutEvent>; foldsOld: boolean };

function EventList({ events, list, foldsOld }: EventListProps) {
  const nowMs = useNow();
  const [isOpen, setOpen] = useState(false);
  const recent = foldsOld ? events.filter(({ lastAt }) => Date.parse(lastAt) >= nowMs - dayMs) : events;
  const older = events.filter((event) => !recent.includes(event));
  const shown = isOpen ? events : recent;
  return (
    <>
      {recent.length === 0 && (
        <Text size="sm" c="dimmed">
          {foldsOld ? "No warnings in the last 24 h." : "No events about it, its ReplicaSets or its pods."}
        </Text>
      )}
      {shown.length > 0 && (
        <ol className={classes.timeline} aria-label="Events, newest first">
          {shown.map((event) => (
            <Event key={event.uid} event={event} isOld={older.includes(event)} />
          ))}
        </ol>
      )}
      {older.length > 0 && (
        <Button size="compact-xs" variant="subtle" mt="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide" : "Show"} {formatOlder(older.length, list.hasMore)}
        </Button>
      )}
      {(!foldsOld || isOpen || older.length === 0) && (
        <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
      )}
    </>
  );
}

const dayMs = 86_400_000;

function formatOlder(count: number, hasMore: boolean): string {
  return hasMore ? `${count} or more older warnings` : `${count} older ${count === 1 ? "warning" : "warnings"}`;
}

/** Flagger gives every event this reason, whatever has happened. */
const vagueReasons = ["Synced"];

function Event({ event, isOld }: { event: RolloutEvent; isOld: boolean }) {
  const { type, reason, message, involved, count, firstAt, lastAt } = event;
  const isWarning = type === "Warning";
  return (
    <li className={classes.event} data-warning={(isWarning && !isOld) || undefined}>
      {isWarning ? (
        <IconAlertTriangle size={16} stroke={1.8} aria-label="Warning" role="img" />
      ) : (
        <IconPointFilled size={16} aria-hidden="true" />
      )}
      <span className={classes.wrap}>
        {!vagueReasons.includes(reason) && <strong>{reason} </strong>}
        <HostileText text={message} />
        <Text size="xs" c="dimmed">
          {involved.kind} {involved.name}
          {count > 1 && (
            <>
              , {count} times, first <RelativeTime at={firstAt} />
            </>
          )}
        </Text>
      </span>
      <Text span size="xs" c="dimmed">
        <RelativeTime at={lastAt} />
      </Text>
    </li>
  );
}
