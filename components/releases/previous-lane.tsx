"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import classes from "#components/releases/course.module.css";
import { type Place, StepBlock } from "#components/releases/course-lanes.tsx";
import { type Block, type PreparedCourse, prepareCourse } from "#components/releases/prepare-course.ts";
import { nameCompared, summariseComparison } from "#components/releases/summarise-release.ts";
import { useReleaseCourse } from "#lib/client/release-queries.ts";
import { releaseHref } from "#lib/client/rollout-path.ts";
import { useReleases } from "#lib/client/rollout-queries.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";
import type { Release } from "#lib/contract/rollout.ts";

type PreviousLaneProps = {
  course: ReleaseCourse;
  axis: Pick<PreparedCourse, "fromMs" | "toMs">;
  place: Place;
};

/** Shows the steps of the release before this one, once it has ended. */
export function PreviousLane(props: PreviousLaneProps) {
  const previous = usePrevious(props.course.release);
  const { data: other } = useReleaseCourse(previous?.id ?? "", previous != null);
  if (other === undefined || other.to === null) return null;
  return <LaneOf {...props} other={other} prepared={prepareCourse(other, 0)} label="previous" />;
}

type LaneOfProps = PreviousLaneProps & { other: ReleaseCourse; prepared: PreparedCourse; label?: string };

/** Shows the steps of another release from the start of this one, and compares both in a sentence. */
export function LaneOf({ course, axis, place, other, prepared, label }: LaneOfProps) {
  const [, name] = nameCompared(course.release, other.release);
  const goesOn = prepared.toMs - prepared.fromMs > axis.toMs - axis.fromMs;
  return (
    <>
      <Anchor
        component={Link}
        href={releaseHref(other.release.id)}
        className={classes.laneName}
        size="xs"
        title={name}
        aria-label={label === undefined ? undefined : `${label}: ${name}`}
      >
        <bdi>{label ?? name}</bdi>
      </Anchor>
      <div className={classes.lane} data-kind="steps" data-previous data-goes-on={goesOn || undefined}>
        {moveToStart(prepared, axis).map((block) => (
          <StepBlock key={block.key} block={block} place={place} />
        ))}
      </div>
      <span />
      <Text size="xs" c="dimmed">
        {summariseComparison([course, other], name)}
      </Text>
    </>
  );
}

/** Loads the release of the same rollout that began before this one; null if there is none, undefined while loading. */
export function usePrevious(release: Release): Release | null | undefined {
  const { cluster, namespace, name } = release.rollout;
  const earlier = useReleases({ cluster, namespace, name, to: release.startedAt });
  return earlier.items && (findPrevious(earlier.items, release) ?? null);
}

type Started = Pick<Release, "startedAt"> & { rollout: Pick<Release["rollout"], "kind"> };

/** Finds the release of the same rollout that began before this one. */
export function findPrevious<Other extends Started>(others: readonly Other[], release: Started): Other | undefined {
  const startMs = Date.parse(release.startedAt);
  return others
    .filter(({ rollout, startedAt }) => rollout.kind === release.rollout.kind && Date.parse(startedAt) < startMs)
    .toSorted((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt))[0];
}

/** Moves the blocks of another release to the start of this one, and cuts them at the end of the axis. */
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
