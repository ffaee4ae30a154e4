"use client";

import { Skeleton, Stack, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import { parseAsIsoDateTime, parseAsString, useQueryState } from "nuqs";
import { useMemo } from "react";
import activityClasses from "#components/releases/activity.module.css";
import { CourseAxis } from "#components/releases/course-axis.tsx";
import { describeFreezeConfig, isWorthSplitting, splitTime } from "#components/releases/course-words.ts";
import { prepareCourse } from "#components/releases/prepare-course.ts";
import { ReleaseHeader } from "#components/releases/release-header.tsx";
import classes from "#components/releases/releases.module.css";
import { PageSkeleton } from "#components/ui/page-skeleton.tsx";
import { usePageTitle } from "#components/ui/page-title.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { Section } from "#components/ui/section.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { formatSeconds } from "#lib/client/format-duration.ts";
import { nameRelease } from "#lib/client/record-names.ts";
import { useReleaseCourse } from "#lib/client/release-queries.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

const MomentPanel = dynamic(
  () => import("#components/releases/moment-panel.tsx").then((module) => module.MomentPanel),
  {
    ssr: false,
    loading: () => <Skeleton height={180} />,
  },
);

const ReleaseDecision = dynamic(
  () => import("#components/releases/release-decision.tsx").then((module) => module.ReleaseDecision),
  { ssr: false, loading: () => <Skeleton height={350} /> },
);

const CompareRuns = dynamic(
  () => import("#components/releases/compare-runs.tsx").then((module) => module.CompareRuns),
  { ssr: false, loading: () => <Skeleton height={240} /> },
);

const ReleaseRecord = dynamic(
  () => import("#components/releases/release-record.tsx").then((module) => module.ReleaseRecord),
  { ssr: false, loading: () => <Skeleton height={160} /> },
);

const ReleaseUndo = dynamic(
  () => import("#components/releases/release-undo.tsx").then((module) => module.ReleaseUndo),
  {
    ssr: false,
  },
);

const CompareWith = dynamic(
  () => import("#components/releases/compare-with.tsx").then((module) => module.CompareWith),
  {
    ssr: false,
  },
);

const ReleaseChanges = dynamic(
  () => import("#components/releases/release-changes.tsx").then((module) => module.ReleaseChanges),
  { ssr: false, loading: () => <Skeleton height={120} /> },
);

export function ReleasePage({ id }: { id: string }) {
  const query = useReleaseCourse(id);
  return (
    <QueryView
      what="The release"
      query={query}
      missing={{ title: "Release not found", list: "releases" }}
      skeleton={<PageSkeleton blocks={[[28, "60%"], [16, "45%"], [350], [190], [44]]} />}
    >
      {(course) => <ReleaseView course={course} />}
    </QueryView>
  );
}

function ReleaseView({ course }: { course: ReleaseCourse }) {
  const { release } = course;
  const now = useNow();
  // A release that is over does not move on with the clock.
  const nowMs = course.to === null ? now : 0;
  const prepared = useMemo(() => prepareCourse(course, nowMs), [course, nowMs]);
  const [vs, setVersus] = useQueryState("vs", parseAsString.withOptions({ history: "push" }));
  const versus = vs === release.id ? null : vs;
  const query = useReleaseCourse(versus ?? "", versus !== null);
  const other = versus === null ? undefined : query.data;
  const [at, setAt] = useQueryState("at", parseAsIsoDateTime.withOptions({ history: "replace", throttleMs: 300 }));
  const atMs = at === null ? undefined : Math.min(prepared.toMs, Math.max(prepared.fromMs, at.getTime()));
  usePageTitle(`${course.release.rollout.namespace}/${course.release.rollout.name} ${nameRelease(course.release)}`);
  return (
    <Stack gap="lg">
      <ReleaseHeader
        course={course}
        actions={
          <>
            <ReleaseUndo release={release} />
            <CompareWith release={release} versus={versus} onVersus={(id) => void setVersus(id)} />
          </>
        }
      />
      {versus === null ? (
        <ReleaseDecision course={course} />
      ) : (
        <QueryView
          what="The release to compare with"
          query={query}
          missing={{ title: "The release to compare with was not found" }}
          skeleton={<Skeleton height={240} />}
        >
          {(loaded) => <CompareRuns courses={[course, loaded]} />}
        </QueryView>
      )}
      <CourseAxis
        course={course}
        prepared={prepared}
        other={other && { course: other, prepared: prepareCourse(other, other.to === null ? now : 0) }}
        atMs={atMs}
        onAt={(wanted) => void setAt(wanted === undefined ? null : new Date(wanted))}
      />
      {atMs !== undefined && <MomentPanel id={release.id} atMs={atMs} />}
      <TimeSplit course={course} />
      <ReleaseRecord course={course} />
      <ReleaseChanges course={course} other={other} />
    </Stack>
  );
}

/** Shows how a release spent its time, as one bar with its parts in words. */
function TimeSplit({ course }: { course: ReleaseCourse }) {
  const { time, to } = course;
  if (!isWorthSplitting(course)) return null;
  const shares = splitTime(course);
  return (
    <Section id="time-split" title={to === null ? "Where the time has gone so far" : "Where the time went"} mb={6}>
      {shares.length === 0 ? (
        <Text size="sm" c="dimmed">
          Too short to measure.
        </Text>
      ) : (
        <>
          <div className={classes.split} aria-hidden="true">
            {shares.map(({ activity, share, hue }) => (
              <span
                key={activity}
                data-hue={hue}
                data-activity={activity}
                style={{ flexGrow: share }}
                className={`${classes.part} ${activityClasses.fill}`}
              />
            ))}
          </div>
          <ul className={classes.shares}>
            {shares.map(({ activity, word, hue, seconds, percent }) => (
              <li key={activity}>
                <span
                  className={`${classes.swatch} ${activityClasses.fill}`}
                  data-hue={hue}
                  data-activity={activity}
                  aria-hidden="true"
                />
                <span className={classes.quiet}>{word}</span> <strong>{formatSeconds(seconds)}</strong>{" "}
                <span className={classes.quiet}>{percent}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {time.frozen > 0 && (
        <Text size="sm" c="dimmed">
          A freeze was in force for {formatSeconds(time.frozen)} of its waiting time. {describeFreezeConfig(course)}
        </Text>
      )}
    </Section>
  );
}
