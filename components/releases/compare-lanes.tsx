"use client";

import { Title } from "@mantine/core";
import { Fragment } from "react";
import classes from "#components/releases/course.module.css";
import { StepBlock } from "#components/releases/course-lanes.tsx";
import { prepareCourse } from "#components/releases/prepare-course.ts";
import { moveToStart } from "#components/releases/previous-lane.tsx";
import { useNow } from "#components/ui/use-now.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

type CompareLanesProps = {
  courses: readonly [ReleaseCourse, ReleaseCourse];
  names: readonly [string, string];
};

/** Shows the steps of two releases on one axis, from the same start. */
export function CompareLanes({ courses, names }: CompareLanesProps) {
  const isOver = courses.every(({ to }) => to !== null);
  const now = useNow();
  const prepared = courses.map((course) => prepareCourse(course, isOver ? 0 : now));
  const longest = Math.max(...prepared.map(({ fromMs, toMs }) => toMs - fromMs));
  const axis = { fromMs: 0, toMs: longest };
  const place = (atMs: number) => atMs / longest;
  return (
    <section className={classes.axis} aria-labelledby="steps">
      <Title order={2} id="steps" className="visually-hidden">
        Steps
      </Title>
      <div className={classes.lanes}>
        {prepared.map((each, index) => (
          <Fragment key={courses[index]?.release.id}>
            <span className={classes.laneName} title={names[index]}>
              <bdi>{names[index]}</bdi>
            </span>
            <div className={classes.lane} data-kind="steps">
              {moveToStart(each, axis).map((block) => (
                <StepBlock key={block.key} block={block} place={place} />
              ))}
            </div>
          </Fragment>
        ))}
      </div>
    </section>
  );
}
