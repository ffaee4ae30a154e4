"use client";

import { Anchor, Text, Tooltip } from "@mantine/core";
import Link from "next/link";
import { compareHref } from "#components/releases/compare-with.tsx";
import classes from "#components/releases/course.module.css";
import { type Place, StepBlock } from "#components/releases/course-lanes.tsx";
import { type Block, type PreparedCourse, prepareCourse } from "#components/releases/prepare-course.ts";
import { compareTimes, describePrevious } from "#components/releases/summarise-release.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import { nameRelease } from "#lib/client/record-names.ts";
import { useReleaseCourse } from "#lib/client/release-queries.ts";
import { useReleases } from "#lib/client/rollout-queries.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";
import type { Release } from "#lib/contract/rollout.ts";

type PreviousLaneProps = { course: ReleaseCourse; prepared: PreparedCourse; place: Place };

/** Shows the steps of the release before this one, from the same start, and says what took longer. */
export function PreviousLane(props: PreviousLaneProps) {
  const { release } = props.course;
  const { cluster, namespace, name } = release.rollout;
  const earlier = useReleases({ cluster, namespace, name, to: release.startedAt });
  const previous = findPrevious(earlier.items ?? [], release);
  return previous === undefined ? null : <LaneOf {...props} previous={previous} />;
}

function LaneOf({ course, prepared, place, previous }: PreviousLaneProps & { previous: Release }) {
  const { data: other } = useReleaseCourse(previous.id);
  if (other === undefined || other.to === null) return null;
  const before = prepareCourse(other, 0);
  const version = previous.images.map(shortenImage).join(", ") || nameRelease(previous);
  const words = describePrevious(version, other);
  const compared = compareTimes(course, other);
  return (
    <>
      <Tooltip label={`${words}. Compare`}>
        <Anchor
          component={Link}
          href={compareHref(course.release.id, previous.id)}
          className={classes.laneName}
          size="xs"
          aria-label={`previous: ${words}; compare`}
        >
          previous
        </Anchor>
      </Tooltip>
      <div className={classes.lane} data-kind="steps" data-previous>
        {moveToStart(before, prepared).map((block) => (
          <StepBlock key={block.key} block={block} place={place} />
        ))}
      </div>
      <span />
      <Text size="xs" c="dimmed">
        {words}
        {compared !== undefined && `; this one ${describeThis(compared)}`}
      </Text>
    </>
  );
}

function describeThis(words: string): string {
  return words === "about as long" ? "took about as long" : `was ${words}`;
}

type Started = Pick<Release, "startedAt"> & { rollout: Pick<Release["rollout"], "kind"> };

/** Finds the release of the same rollout that began before this one. */
export function findPrevious<Other extends Started>(others: readonly Other[], release: Started): Other | undefined {
  const startMs = Date.parse(release.startedAt);
  return others
    .filter(({ rollout, startedAt }) => rollout.kind === release.rollout.kind && Date.parse(startedAt) < startMs)
    .toSorted((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt))[0];
}

/** Moves the blocks of another release to the start of this one, and cuts them at its end. */
export function moveToStart(
  { blocks, fromMs }: Pick<PreparedCourse, "blocks" | "fromMs">,
  axis: Pick<PreparedCourse, "fromMs" | "toMs">,
): Block[] {
  const shift = axis.fromMs - fromMs;
  return blocks
    .map((block) => ({
      ...block,
      fromMs: block.fromMs + shift,
      toMs: Math.min(axis.toMs, block.toMs + shift),
    }))
    .filter((block) => block.fromMs < axis.toMs);
}
