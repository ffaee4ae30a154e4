"use client";

import { Anchor, Skeleton, Text, Title } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowRight,
  IconChartDots,
  IconGitCommit,
  IconPlayerPlay,
  IconPointFilled,
  IconUserCheck,
} from "@tabler/icons-react";
import Link from "next/link";
import { classifyEvent } from "#components/rollouts/classify-event.ts";
import classes from "#components/rollouts/rollouts.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LoadMore } from "#components/ui/load-more.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateIcon } from "#components/ui/state-icon.tsx";
import { auditHref, runHref } from "#lib/client/rollout-path.ts";
import { useRolloutTimeline } from "#lib/client/rollout-queries.ts";
import type { TimelineEvent } from "#lib/contract/rollout.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** Shows what happened, newest first. */
export function Timeline({ rollout }: { rollout: ObjectRef }) {
  const list = useRolloutTimeline(rollout);
  return (
    <section className={classes.panel} aria-labelledby="timeline">
      <Title order={2} id="timeline" mb="xs">
        What happened
      </Title>
      <QueryView
        what="The timeline"
        data={list.items}
        error={list.error}
        retry={list.retry}
        skeleton={<Skeleton height={200} />}
      >
        {(events) =>
          events.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing yet. Changes of phase, step and analysis appear here, as do actions.
            </Text>
          ) : (
            <ol className={classes.timeline}>
              {events.map((event) => (
                <Event key={event.id} event={event} />
              ))}
            </ol>
          )
        }
      </QueryView>
      <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
    </section>
  );
}

function Event({ event }: { event: TimelineEvent }) {
  const { at, text, runUid, auditSeq } = event;
  return (
    <li className={classes.event}>
      <EventIcon event={event} />
      <span>
        <HostileText text={text} />{" "}
        {runUid !== null && (
          <Anchor component={Link} href={runHref(runUid)} inherit>
            analysis
          </Anchor>
        )}{" "}
        {auditSeq !== null && (
          <Anchor component={Link} href={auditHref(auditSeq)} inherit>
            audit {auditSeq}
          </Anchor>
        )}
      </span>
      <Text span size="xs" c="dimmed">
        <RelativeTime at={at} />
      </Text>
    </li>
  );
}

const icons: Record<string, typeof IconPointFilled> = {
  step: IconArrowRight,
  resume: IconPlayerPlay,
  retry: IconArrowBackUp,
  revision: IconGitCommit,
  run: IconChartDots,
  action: IconUserCheck,
};

function EventIcon({ event }: { event: TimelineEvent }) {
  const state = classifyEvent(event);
  if (state !== undefined) return <StateIcon state={state} />;
  const Icon = icons[event.kind] ?? IconPointFilled;
  return <Icon size={16} stroke={1.6} aria-hidden="true" />;
}
