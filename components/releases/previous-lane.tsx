"use client";

import { Anchor, Tooltip } from "@mantine/core";
import Link from "next/link";
import { compareHref } from "#components/releases/compare-with.tsx";
import classes from "#components/releases/course.module.css";
import { type Place, StepBlock } from "#components/releases/course-lanes.tsx";
import { type Block, type PreparedCourse, prepareCourse } from "#components/releases/prepare-course.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import { nameRelease } from "#lib/client/record-names.ts";
import { useReleaseCourse } from "#lib/client/release-queries.ts";
import { useReleases } from "#lib/client/rollout-queries.ts";
import type { Release } from "#lib/contract/rollout.ts";

type PreviousLaneProps = { release: Release; prepared: PreparedCourse; place: Place };

/** Shows the steps of the release before this one, from the same start: what took longer is seen at once. */
export function PreviousLane(props: PreviousLaneProps) {
  const { cluster, namespace, name } = props.release.rollout;
  const previous = findPrevious(useReleases({ cluster, namespace, name }).items ?? [], props.release);
  return previous === undefined ? null : <LaneOf {...props} previous={previous} />;
}

function LaneOf({ release, prepared, place, previous }: PreviousLaneProps & { previous: Release }) {
  const { data: course } = useReleaseCourse(previous.id);
  if (course === undefined || course.to === null) return null;
  const before = prepareCourse(course, 0);
  const words = `${nameRelease(previous)} took ${formatDuration(before.toMs - before.fromMs)}`;
  return (
    <>
      <Tooltip label={`${words}. Compare`}>
        <Anchor
          component={Link}
          href={compareHref(previous.id, release.id)}
          className={classes.laneName}
          size="xs"
          aria-label={`previous: ${words}; compare`}
        >
          previous
        </Anchor>
      </Tooltip>
      <div className={classes.lane} data-kind="steps" data-previous>
        <span className="visually-hidden">{words}</span>
        {moveToStart(before, prepared).map((block) => (
          <StepBlock key={block.key} block={block} place={place} />
        ))}
      </div>
    </>
  );
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
