"use client";

import { SegmentedControl, Skeleton, Text, Title } from "@mantine/core";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import classes from "#components/rollouts/rollouts.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconAlertTriangle, IconPointFilled } from "#components/ui/icons.tsx";
import { LoadMore, QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useRolloutEvents } from "#lib/client/rollout-queries.ts";
import type { RolloutEvent } from "#lib/contract/cluster-objects.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

const choices = ["warnings", "all"] as const;

/**
 * Shows the cluster's own Events about the rollout and its pods. Shows only warnings by default: they are what someone
 * on call looks for, and "What happened" tells the rest better.
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
        {(events) =>
          events.length === 0 ? (
            <Text size="sm" c="dimmed">
              {choice === "warnings"
                ? "No warnings about it, its ReplicaSets or its pods."
                : "No events about it, its ReplicaSets or its pods."}
            </Text>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
            <section className={classes.eventFrame} tabIndex={0} aria-label="Events, newest first">
              <ol className={classes.timeline}>
                {events.map((event) => (
                  <Event key={event.uid} event={event} />
                ))}
              </ol>
              <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
            </section>
          )
        }
      </QueryView>
    </section>
  );
}

/** Flagger gives every event this reason, whatever has happened. */
const vagueReasons = ["Synced"];

function Event({ event: { type, reason, message, involved, count, firstAt, lastAt } }: { event: RolloutEvent }) {
  const isWarning = type === "Warning";
  return (
    <li className={classes.event} data-warning={isWarning || undefined}>
      {isWarning ? (
        <IconAlertTriangle size={16} stroke={1.8} className={classes.warning} aria-label="Warning" role="img" />
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
