"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import classes from "#components/releases/releases.module.css";
import { TemplateMissing } from "#components/releases/template-missing.tsx";
import { Section } from "#components/ui/section.tsx";
import { SpecDiff } from "#components/ui/spec-diff.tsx";
import { releaseHref } from "#lib/client/rollout-path.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

type ReleaseChangesProps = { course: ReleaseCourse; other?: ReleaseCourse | undefined };

/** Shows the changes to images and pod template, against the version that was stable before, or another release. */
export function ReleaseChanges({ course, other }: ReleaseChangesProps) {
  const { templates, release } = course;
  const base = other === undefined ? course.base : { ...other.release, releaseId: other.release.id };
  const before = other === undefined ? templates.base : other.templates.release;
  const since = templates.since ?? other?.templates.since ?? null;
  return (
    <Section id="changes" title="Changes" className={classes.panel}>
      {base === null ? (
        <Text size="sm" c="dimmed">
          No earlier stable version was recorded.
        </Text>
      ) : (
        <>
          <Text size="sm">
            Against{" "}
            {base.releaseId === null ? (
              nameBase(base)
            ) : (
              <Anchor component={Link} href={releaseHref(base.releaseId)} inherit>
                {nameBase(base)}
              </Anchor>
            )}
            {other === undefined ? ", which was stable when it began." : "."}
          </Text>
          <ImageChanges before={base.images} after={release.images} />
          {before !== null && templates.release !== null ? (
            <SpecDiff before={before} after={templates.release} label="Changes of the pod template" />
          ) : (
            <TemplateMissing
              of={
                templates.release === null
                  ? "this release"
                  : other === undefined
                    ? "the version before"
                    : nameBase(base)
              }
              since={since}
              unknown="other changes are unknown"
            />
          )}
        </>
      )}
    </Section>
  );
}

function nameBase({ revision, runKey }: Pick<NonNullable<ReleaseCourse["base"]>, "revision" | "runKey">): string {
  return revision === null ? `version ${runKey}` : `revision ${revision}`;
}

function ImageChanges({ before, after }: { before: readonly string[] | null; after: readonly string[] }) {
  if (before === null) return null;
  const removed = before.filter((image) => !after.includes(image));
  const added = after.filter((image) => !before.includes(image));
  if (removed.length + added.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The images are the same.
      </Text>
    );
  return (
    <ul className={classes.plainList} aria-label="Images">
      {removed.map((image, index) => (
        <li key={image}>
          <code>{image}</code>
          {added[index] !== undefined && (
            <>
              {" → "}
              <code>{added[index]}</code>
            </>
          )}
        </li>
      ))}
      {added.slice(removed.length).map((image) => (
        <li key={image}>
          new: <code>{image}</code>
        </li>
      ))}
    </ul>
  );
}
