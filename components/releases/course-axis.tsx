"use client";

import { Button, Text, Title } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { computeTimeTicks } from "#components/charts/time-axis.ts";
import classes from "#components/releases/course.module.css";
import {
  LaneOfPlugin,
  LaneOfRun,
  LanesOfExperiment,
  type Place,
  percent,
  StepBlock,
} from "#components/releases/course-lanes.tsx";
import { CourseMarks } from "#components/releases/course-marks.tsx";
import { describeMoment } from "#components/releases/course-words.ts";
import { momentAt, nextStop, type PreparedCourse } from "#components/releases/prepare-course.ts";
import { formatExact, formatTick } from "#components/ui/format-time.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

type CourseAxisProps = {
  course: ReleaseCourse;
  prepared: PreparedCourse;
  /** The moment that is replayed; undefined if none is. */
  atMs: number | undefined;
  onAt: (atMs: number | undefined) => void;
};

const PreviousLane = dynamic(
  () => import("#components/releases/previous-lane.tsx").then((module) => module.PreviousLane),
  { ssr: false },
);

const shownLanes = 12;
const shownExperiments = 4;

/** Shows a release on one axis of time: weight, steps, analyses, experiments, people, warnings. A slider replays it. */
export function CourseAxis({ course, prepared, atMs, onAt }: CourseAxisProps) {
  const { weights, blocks, lanes, plugins, experiments, people, cluster } = prepared;
  const place = placeOn(prepared);
  // All lanes are as wide as the ticks.
  const { ref, width } = useElementSize();
  const clickable = {
    onClick: (event: React.MouseEvent<HTMLElement>) => {
      const box = event.currentTarget.getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      onAt(Math.round(prepared.fromMs + share * (prepared.toMs - prepared.fromMs)));
    },
  };
  return (
    <section className={classes.axis} aria-labelledby="course">
      <Title order={2} id="course" className="visually-hidden">
        Course
      </Title>
      <Replay course={course} prepared={prepared} atMs={atMs} onAt={onAt} />
      <div className={classes.lanes}>
        {weights.length > 0 && (
          <>
            <span className={classes.laneName}>weight</span>
            <div className={classes.lane} data-kind="weight" {...clickable}>
              <Weights prepared={prepared} />
            </div>
          </>
        )}
        {blocks.length > 0 && (
          <>
            <span className={classes.laneName}>steps</span>
            <div className={classes.lane} data-kind="steps" {...clickable}>
              {blocks.map((block) => (
                <StepBlock key={block.key} block={block} place={place} />
              ))}
            </div>
            <PreviousLane release={course.release} prepared={prepared} place={place} />
          </>
        )}
        {lanes.slice(0, shownLanes).map((lane) => (
          <LaneOfRun key={lane.uid} lane={lane} place={place} onAt={onAt} />
        ))}
        {plugins.slice(-shownLanes).map((lane) => (
          <LaneOfPlugin key={`${lane.step} ${lane.operation}`} lane={lane} place={place} onAt={onAt} />
        ))}
        {experiments.slice(-shownExperiments).map((lane) => (
          <LanesOfExperiment key={lane.uid} lane={lane} place={place} onAt={onAt} />
        ))}
        <CourseMarks name="people" marks={people} place={place} width={width} atMs={atMs} onAt={onAt} />
        <CourseMarks name="cluster" marks={cluster} place={place} width={width} atMs={atMs} onAt={onAt} />
        <span />
        <Ticks ref={ref} width={width} prepared={prepared} place={place} />
        {atMs !== undefined && <Head share={place(atMs)} />}
      </div>
      {lanes.length > shownLanes && (
        <Text size="xs" c="dimmed" mt={4}>
          {lanes.length - shownLanes} more analyses are listed below.
        </Text>
      )}
      {experiments.length > shownExperiments && (
        <Text size="xs" c="dimmed" mt={4}>
          {experiments.length - shownExperiments} earlier experiments are listed below.
        </Text>
      )}
    </section>
  );
}

/** Returns the share of the axis, from 0 to 1. */
function placeOn({ fromMs, toMs }: PreparedCourse): Place {
  return (atMs) => (atMs - fromMs) / (toMs - fromMs);
}

function Replay({ course, prepared, atMs, onAt }: CourseAxisProps) {
  const { fromMs, toMs, stops } = prepared;
  const shownMs = atMs ?? toMs;
  const moment = momentAt(course.moments, shownMs);
  const words = moment === undefined ? "nothing was observed" : describeMoment(moment);
  const exact = formatExact(new Date(shownMs).toISOString());
  return (
    <>
      <div className={classes.replay}>
        <span>
          <Text span className={classes.now}>
            {words}
          </Text>{" "}
          <Text span size="sm" c="dimmed">
            {atMs === undefined ? (course.to === null ? "now" : "at its end") : exact}
          </Text>
        </span>
        {atMs === undefined ? (
          <Text span size="xs" c="dimmed">
            Drag to replay
          </Text>
        ) : (
          <Button size="compact-xs" variant="default" onClick={() => onAt(undefined)}>
            Close replay
          </Button>
        )}
      </div>
      <div className={`${classes.lanes} ${classes.slide}`}>
        <span className={classes.laneName}>replay</span>
        <input
          type="range"
          className={classes.slider}
          aria-label="Moment of the release"
          aria-valuetext={`${exact}: ${words}`}
          min={fromMs}
          max={toMs}
          step={1}
          value={shownMs}
          onChange={(event) => onAt(Number(event.currentTarget.value))}
          onKeyDown={(event) => {
            const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 } as const;
            const way = direction[event.key as keyof typeof direction];
            if (way === undefined) return;
            event.preventDefault();
            onAt(nextStop(stops, shownMs, way));
          }}
        />
      </div>
    </>
  );
}

const tall = 100;

function Weights({ prepared }: { prepared: PreparedCourse }) {
  const { weights, toMs } = prepared;
  const place = placeOn(prepared);
  const x = (atMs: number) => (place(atMs) * 1000).toFixed(1);
  const y = (weight: number) => (tall - 4 - (weight / 100) * (tall - 8)).toFixed(1);
  const line = weights
    .map(({ atMs, weight }, index) => (index === 0 ? `M${x(atMs)} ${y(weight)}` : `H${x(atMs)}V${y(weight)}`))
    .join("");
  const words = weights.map(({ weight }) => `${weight} %`).join(", ");
  return (
    <>
      <svg
        className={classes.weight}
        viewBox={`0 0 1000 ${tall}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Traffic on the new version: ${words}`}
      >
        <path className={classes.weightArea} d={`${line}H${x(toMs)}V${tall}H${x(weights[0]?.atMs ?? 0)}Z`} />
        <path className={classes.weightLine} d={`${line}H${x(toMs)}`} />
      </svg>
      {placeLabels(prepared).map(({ atMs, weight }) => (
        <span
          key={atMs}
          aria-hidden="true"
          className={classes.weightText}
          style={{
            left: percent(place(atMs)),
            top: weight > 55 ? percent((100 - weight) / 100 + 0.12) : undefined,
            bottom: weight > 55 ? undefined : percent(weight / 100 + 0.06),
          }}
        >
          {weight} %
        </span>
      ))}
    </>
  );
}

/** Leaves out labels that would stand on the one before. */
function placeLabels(prepared: PreparedCourse): PreparedCourse["weights"] {
  const place = placeOn(prepared);
  const shown: PreparedCourse["weights"] = [];
  for (const step of prepared.weights) {
    const last = shown.at(-1);
    const share = place(step.atMs);
    if (share < 0.95 && (last === undefined || share - place(last.atMs) > 0.06)) shown.push(step);
  }
  return shown;
}

/** In px: more ticks than fit there are no help on a wide screen either. */
const usualWidth = 450;

type TicksProps = { ref: React.Ref<HTMLDivElement>; width: number; prepared: PreparedCourse; place: Place };

function Ticks({ ref, width, prepared, place }: TicksProps) {
  const { fromMs, toMs } = prepared;
  return (
    <div ref={ref} className={classes.ticks} aria-hidden="true">
      {computeTimeTicks([fromMs, toMs], Math.min(width || usualWidth, usualWidth)).map((tick) => {
        const share = place(tick);
        return (
          <span
            key={tick}
            className={classes.tick}
            data-edge={share < 0.04 ? "start" : share > 0.95 ? "end" : undefined}
            style={{ left: percent(share) }}
          >
            {formatTick(tick, toMs - fromMs)}
          </span>
        );
      })}
    </div>
  );
}

/** The line of the replayed moment, across all lanes. */
function Head({ share }: { share: number }) {
  return (
    <div
      style={{ position: "absolute", inset: 0, display: "grid", gridTemplateColumns: "inherit", pointerEvents: "none" }}
    >
      <span />
      <div style={{ position: "relative" }}>
        <span className={classes.head} style={{ left: percent(share) }} />
      </div>
    </div>
  );
}
