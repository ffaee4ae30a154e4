"use client";

import { Anchor, Tooltip } from "@mantine/core";
import Link from "next/link";
import { compareHref } from "#components/releases/compare-with.tsx";
import classes from "#components/releases/course.module.css";
import { type Place, StepBlock } from "#components/releases/course-lanes.tsx";
import { type PreparedCourse, prepareCourse } from "#components/releases/prepare-course.ts";
import { findPrevious, moveToStart } from "#components/releases/prepare-previous.ts";
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
