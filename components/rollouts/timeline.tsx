"use client";

import { Anchor, Button, Skeleton, Text, Title } from "@mantine/core";
import Link from "next/link";
import { useState } from "react";
import {
  arrangeTimeline,
  classifyEvent,
  findEnd,
  repeatsTime,
  type TimelineGroup,
} from "#components/rollouts/arrange-timeline.ts";
import classes from "#components/rollouts/timeline.module.css";
import { classifyRelease } from "#components/ui/classify-state.ts";
import { formatDay, formatExact, formatOffset, formatTick } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import {
  IconArrowBackUp,
  IconArrowRight,
  IconChartDots,
  IconChevronDown,
  IconChevronRight,
  IconGitCommit,
  IconPlayerPlay,
  IconPointFilled,
  IconUserCheck,
  IconUserX,
} from "#components/ui/icons.tsx";
import { LoadMore, QueryView } from "#components/ui/query-view.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { useIsPrinting } from "#components/ui/watch-print.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import { formatLength } from "#lib/client/format-duration.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { auditHref, releaseHref, runHref } from "#lib/client/rollout-path.ts";
import { useRolloutTimeline } from "#lib/client/rollout-queries.ts";
import type { TimelineEvent } from "#lib/contract/timeline.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/**
 * Shows the events, newest first, release by release: the clock's time, and how long after the release began. Older
 * releases are one line each until opened; paper has all.
 */
export function Timeline({ rollout }: { rollout: ObjectRef }) {
  const list = useRolloutTimeline(rollout);
  return (
    <section className={classes.panel} aria-labelledby="timeline">
      <Title order={2} id="timeline">
        What happened
      </Title>
      <QueryView
        what="The timeline"
        query={{ data: list.items, error: list.error, refetch: list.retry }}
        skeleton={<Skeleton height={200} mt="xs" />}
      >
        {(events) =>
          events.length === 0 ? (
            <Text size="sm" c="dimmed" mt="xs">
              Nothing yet. Phases, steps, analyses and actions appear here.
            </Text>
          ) : (
            <Groups groups={arrangeTimeline(events, formatDay)} list={list} />
          )
        }
      </QueryView>
    </section>
  );
}

type GroupsProps = { groups: readonly TimelineGroup[]; list: ItemList<TimelineEvent> };

function Groups({ groups, list }: GroupsProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  // A release that begins while the page is open does not fold the one being read.
  const [firstKey] = useState(() => groups[0] && keyOf(groups[0]));
  const openCount = Math.max(1, 1 + groups.findIndex((group) => keyOf(group) === firstKey));
  const isUnfolded = (group: TimelineGroup) => chosen.get(keyOf(group)) ?? groups.indexOf(group) < openCount;
  const isPrinting = useIsPrinting();
  const isOpen = (group: TimelineGroup) => isPrinting || isUnfolded(group);
  const last = groups.at(-1);
  const { hasMore, isLoadingMore, loadMore } = list;
  return (
    <div className={classes.groups}>
      {groups.map((group, index) => (
        <Group
          key={keyOf(group)}
          group={group}
          isOpen={isOpen(group)}
          onToggle={() => setChosen(new Map([...chosen, [keyOf(group), !isUnfolded(group)]]))}
          dayAbove={
            groups
              .slice(0, index)
              .findLast((above) => isOpen(above))
              ?.days.at(-1)?.day
          }
        />
      ))}
      {last === undefined || isUnfolded(last) ? (
        <LoadMore hasMore={hasMore} isLoading={isLoadingMore} onLoad={loadMore} />
      ) : (
        hasMore && (
          // Not by scrolling: folded releases are short, and all of them would load.
          <Button size="compact-sm" variant="subtle" mt="xs" loading={isLoadingMore} onClick={loadMore}>
            Load earlier events
          </Button>
        )
      )}
    </div>
  );
}

function keyOf({ release }: TimelineGroup): string {
  return release?.id ?? "before";
}

type GroupProps = {
  group: TimelineGroup;
  isOpen: boolean;
  onToggle: () => void;
  dayAbove: string | undefined;
};

/** Names each day once, even if several releases have events on that day. */
function Group({ group, isOpen, onToggle, dayAbove }: GroupProps) {
  const { release, days } = group;
  const startMs = release === null ? undefined : Date.parse(release.startedAt);
  return (
    <div>
      <Heading group={group} isOpen={isOpen} onToggle={onToggle} />
      {isOpen && (
        <div className={classes.days}>
          {days.map(({ day, events }) => (
            <div key={day}>
              {day !== dayAbove && (
                <Text size="xs" c="dimmed" className={classes.day}>
                  {day}
                </Text>
              )}
              <ol className={classes.events}>
                {events.map((event, index) => (
                  <Event key={event.id} event={event} startMs={repeatsTime(events, index) ? undefined : startMs} />
                ))}
              </ol>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function Heading({ group, isOpen, onToggle }: Omit<GroupProps, "dayAbove">) {
  const { release } = group;
  const title = release === null ? "Before the first recorded release" : nameRelease(release);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.heading}>
      {release === null ? (
        <Title order={3} className={classes.name}>
          {title}
        </Title>
      ) : (
        <ReleaseHeading group={group} release={release} title={title} />
      )}
      <Button
        className={classes.toggle}
        size="compact-sm"
        variant="subtle"
        color="gray"
        c="inherit"
        px={4}
        aria-expanded={isOpen}
        aria-label={`Events of ${title}`}
        onClick={onToggle}
      >
        <Chevron size={14} aria-hidden="true" />
      </Button>
    </div>
  );
}

type ReleaseHeadingProps = { group: TimelineGroup; release: NonNullable<TimelineGroup["release"]>; title: string };

function ReleaseHeading({ group, release, title }: ReleaseHeadingProps) {
  const { state, word } = classifyRelease({ state: release.state, waitsFor: null, message: "" });
  const end = findEnd(group);
  return (
    <>
      <StateIcon state={state} />
      <Title order={3} className={classes.name}>
        <Anchor component={Link} href={releaseHref(release.id)} inherit>
          {title}
        </Anchor>
      </Title>
      <Text span size="xs" c="dimmed">
        {word}
        {end !== undefined && ` · ${formatLength(release.startedAt, end)}`}
      </Text>
    </>
  );
}

function nameRelease({ images, revision, attempt }: NonNullable<TimelineEvent["release"]>): string {
  const version = images.map(shortenImage).join(", ");
  const number = revision === null ? "" : `revision ${revision}`;
  const again = attempt > 1 ? `attempt ${attempt}` : "";
  return [version, number, again].filter((part) => part !== "").join(" · ") || "Release";
}

/** Without a start, it has no offset of its own. */
function Event({ event, startMs }: { event: TimelineEvent; startMs: number | undefined }) {
  const { at, kind, text, runUid, runName } = event;
  const entry = event.outcomeSeq ?? event.auditSeq;
  const atMs = Date.parse(at);
  return (
    <li className={classes.event}>
      <time dateTime={at} title={formatExact(at)} className={classes.time}>
        {formatTick(atMs, 0)}
        {startMs !== undefined && atMs >= startMs && (
          <span className={classes.offset}>
            {formatOffset(Math.floor(atMs / 1000) * 1000, Math.floor(startMs / 1000) * 1000)}
          </span>
        )}
      </time>
      <EventIcon event={event} />
      <span className={classes.text}>
        {runUid !== null && kind === "run" ? (
          <Anchor component={Link} href={runHref(runUid)} inherit title={runName ?? undefined}>
            <bdi>{text}</bdi>
          </Anchor>
        ) : (
          <HostileText text={text} />
        )}{" "}
        {runUid !== null && kind !== "run" && (
          <Anchor component={Link} href={runHref(runUid)} inherit>
            analysis
          </Anchor>
        )}{" "}
        {entry !== null && (
          <Anchor component={Link} href={auditHref(entry)} inherit>
            entry {entry}
          </Anchor>
        )}
      </span>
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
  unasked: IconUserCheck,
  approval: IconUserCheck,
};

function EventIcon({ event }: { event: TimelineEvent }) {
  if (event.isRefused)
    return <IconUserX size={16} stroke={1.8} className={classes.refused} aria-label="Refused" role="img" />;
  const state = classifyEvent(event);
  if (state !== undefined) return <StateIcon state={state} />;
  const Icon = icons[event.kind] ?? IconPointFilled;
  return <Icon size={16} stroke={1.6} aria-hidden="true" />;
}
