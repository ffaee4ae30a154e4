"use client";

import { Anchor, Skeleton, Stack, Table, Text, Title } from "@mantine/core";
import { IconArrowsDiff } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { parseAsString, useQueryStates } from "nuqs";
import { CompareLanes } from "#components/releases/compare-lanes.tsx";
import { splitTime } from "#components/releases/course-words.ts";
import classes from "#components/releases/releases.module.css";
import { summariseComparison } from "#components/releases/summarise-comparison.ts";
import { TemplateMissing } from "#components/releases/template-missing.tsx";
import { classifyRelease } from "#components/ui/classify-state.ts";
import { formatExact } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { shortenImage } from "#lib/client/describe-images.ts";
import { formatSeconds } from "#lib/client/format-duration.ts";
import { nameRelease } from "#lib/client/record-names.ts";
import { useReleaseCourse } from "#lib/client/release-queries.ts";
import { releaseHref } from "#lib/client/rollout-path.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";
import { wordMessage } from "#lib/domain/controller-words.ts";

const CompareRuns = dynamic(
  () => import("#components/releases/compare-runs.tsx").then((module) => module.CompareRuns),
  {
    ssr: false,
    loading: () => <Skeleton height={240} />,
  },
);

const SpecDiff = dynamic(() => import("#components/ui/spec-diff.tsx").then((module) => module.SpecDiff), {
  ssr: false,
  loading: () => <Skeleton height={120} />,
});

/** Compares two releases: outcome, time, analyses on one axis, and the pod templates. */
export function ComparePage() {
  const [{ one, other }] = useQueryStates({ one: parseAsString, other: parseAsString });
  if (one === null || other === null || one === other) {
    return (
      <NothingHere
        icon={<IconArrowsDiff size={40} stroke={1.2} />}
        title={one === null || one !== other ? "Choose two releases" : "Both are the same release"}
        hint="Open a release and choose another one under Compare with."
      />
    );
  }
  return <Compare one={one} other={other} />;
}

function Compare({ one, other }: { one: string; other: string }) {
  const first = useReleaseCourse(one);
  const second = useReleaseCourse(other);
  const data = first.data === undefined || second.data === undefined ? undefined : ([first.data, second.data] as const);
  return (
    <QueryView
      what="The releases"
      query={{
        data,
        error: first.error ?? second.error,
        refetch: () => Promise.all([first.refetch(), second.refetch()]),
      }}
      skeleton={<Skeleton height={320} />}
    >
      {(courses) => <Compared courses={courses} />}
    </QueryView>
  );
}

type Courses = readonly [ReleaseCourse, ReleaseCourse];

function Compared({ courses }: { courses: Courses }) {
  const [{ release: one, templates }, { release: other, templates: otherTemplates }] = courses;
  const isSame = one.rollout.id === other.rollout.id;
  const names = [nameOf(one, isSame), nameOf(other, isSame)] as const;
  return (
    <Stack gap="lg">
      <header>
        <Title order={1}>
          {isSame ? `${one.rollout.namespace}/${one.rollout.name}: ` : ""}
          {nameOf(one, isSame)} and {nameOf(other, isSame)}
        </Title>
        <Text className={classes.summary}>{summariseComparison(courses, names)}</Text>
      </header>
      <CompareLanes courses={courses} names={names} />
      <Facts courses={courses} isSame={isSame} />
      <CompareRuns courses={courses} names={names} />
      <section className={classes.panel} aria-labelledby="templates">
        <Title order={2} id="templates">
          Pod templates
        </Title>
        {templates.release === null || otherTemplates.release === null ? (
          <TemplateMissing
            of={nameOf(templates.release === null ? one : other, isSame)}
            since={(templates.release === null ? templates : otherTemplates).since}
            unknown="the changes are unknown"
          />
        ) : (
          <>
            <Text size="sm" c="dimmed">
              From {nameOf(other, isSame)} to {nameOf(one, isSame)}
            </Text>
            <SpecDiff before={otherTemplates.release} after={templates.release} label="Changes of the pod template" />
          </>
        )}
      </section>
    </Stack>
  );
}

function nameOf(release: ReleaseCourse["release"], isSame: boolean): string {
  return isSame ? nameRelease(release) : `${release.rollout.name} ${nameRelease(release)}`;
}

function Facts({ courses, isSame }: { courses: Courses; isSame: boolean }) {
  const rows: { name: string; cell: (course: ReleaseCourse) => React.ReactNode }[] = [
    { name: "Outcome", cell: ({ release }) => <StateBadge shown={classifyRelease(release)} size="sm" /> },
    { name: "Reason", cell: ({ release }) => <HostileText text={wordMessage(release.message)} /> },
    {
      name: "Version",
      cell: ({ release }) => <code>{release.images.map(shortenImage).join(", ") || "unknown"}</code>,
    },
    { name: "Started", cell: ({ from }) => formatExact(from) },
    { name: "Took", cell: ({ time, to }) => `${formatSeconds(time.total)}${to === null ? " so far" : ""}` },
    {
      name: "Of which",
      cell: ({ time }) =>
        splitTime(time)
          .map(({ word, seconds }) => `${word} ${formatSeconds(seconds)}`)
          .join(", ") || "nothing measurable",
    },
    {
      name: "Acts",
      cell: ({ acts, release }) =>
        acts.length === 0
          ? "no one acted"
          : `${release.acts.total}: ${acts.map(({ who, did }) => `${who} ${did}`).join("; ")}`,
    },
  ];
  return (
    <section className={classes.panel} aria-label="Facts">
      <Table.ScrollContainer minWidth={480}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              {courses.map(({ release }) => (
                <Table.Th key={release.id} scope="col">
                  <Anchor component={Link} href={releaseHref(release.id)} inherit>
                    {nameOf(release, isSame)}
                  </Anchor>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ name, cell }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" className={classes.quiet}>
                  {name}
                </Table.Th>
                {courses.map((course) => (
                  <Table.Td key={course.release.id}>{cell(course)}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
