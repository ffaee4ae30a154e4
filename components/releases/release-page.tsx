"use client";

import { Skeleton, Stack } from "@mantine/core";
import dynamic from "next/dynamic";
import { parseAsIsoDateTime, useQueryState } from "nuqs";
import { useMemo } from "react";
import { CourseAxis } from "#components/releases/course-axis.tsx";
import { prepareCourse } from "#components/releases/prepare-course.ts";
import { ReleaseHeader } from "#components/releases/release-header.tsx";
import { TimeSplit } from "#components/releases/time-split.tsx";
import { PageSkeleton } from "#components/ui/page-skeleton.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { usePageTitle } from "#components/ui/use-page-title.ts";
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
      missing={{ title: "Release not found" }}
      skeleton={<PageSkeleton blocks={[[28, "60%"], [16, "45%"], [190], [44], [240]]} />}
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
            <CompareWith release={release} />
          </>
        }
      />
      <CourseAxis
        course={course}
        prepared={prepared}
        atMs={atMs}
        onAt={(wanted) => void setAt(wanted === undefined ? null : new Date(wanted))}
      />
      {atMs !== undefined && <MomentPanel id={release.id} atMs={atMs} />}
      <TimeSplit time={course.time} isOver={course.to !== null} />
      <ReleaseDecision course={course} />
      <ReleaseRecord course={course} />
      <ReleaseChanges course={course} />
    </Stack>
  );
}
