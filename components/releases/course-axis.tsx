"use client";

import { Button, Group, Text, Title } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Domain } from "#components/charts/chart-scale.ts";
import { brush, fitZoom } from "#components/charts/chart-zoom.ts";
import { computeTimeTicks } from "#components/charts/time-axis.ts";
import { useChartZoom } from "#components/charts/use-chart-zoom.ts";
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
import { cutCourse, momentAt, nextStop, type PreparedCourse } from "#components/releases/prepare-course.ts";
import { formatExact, formatTick } from "#components/ui/format-time.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

type CourseAxisProps = {
  course: ReleaseCourse;
  prepared: PreparedCourse;
  /** The release that it is compared with: the axis is as long as the longer one, and at most twice as long as this one. */
  other?: { course: ReleaseCourse; prepared: PreparedCourse } | undefined;
  /** The moment that is replayed; undefined if none is. */
  atMs: number | undefined;
  onAt: (atMs: number | undefined) => void;
};

const PreviousLane = dynamic(
  () => import("#components/releases/previous-lane.tsx").then((module) => module.PreviousLane),
  { ssr: false },
);

const LaneOf = dynamic(() => import("#components/releases/previous-lane.tsx").then((module) => module.LaneOf), {
  ssr: false,
});

const shownLanes = 12;
const shownExperiments = 4;

/** The axis shows another release as long as this many times the own length: more would press the own lanes together. */
const mostOfOther = 2;

/**
 * Shows a release on one axis of time: weight, steps, analyses, experiments, people, warnings. A slider replays it, and
 * dragging over the lanes zooms.
 */
export function CourseAxis({ course, prepared: whole, other, atMs, onAt }: CourseAxisProps) {
  const ownMs = whole.toMs - whole.fromMs;
  const otherMs = other === undefined ? 0 : other.prepared.toMs - other.prepared.fromMs;
  const full: Domain = [whole.fromMs, Math.max(whole.toMs, whole.fromMs + Math.min(otherMs, mostOfOther * ownMs))];
  const axis = { fromMs: full[0], toMs: full[1] };
  const { from, to, onZoom } = useChartZoom();
  const zoom = fitZoom(from, to, full);
  const prepared = zoom === undefined && full[1] === whole.toMs ? whole : cutCourse(whole, zoom ?? full);
  const { weights, blocks, lanes, plugins, experiments, people, cluster } = prepared;
  const place = placeOn(prepared);
  // All lanes are as wide as the ticks.
  const { ref, width } = useElementSize();
  const timeAt = (share: number) => prepared.fromMs + share * (prepared.toMs - prepared.fromMs);
  const { dragged, handlers } = useDrag({
    onClick: (share) => onAt(Math.round(timeAt(share))),
    onDrag: (start, end) => onZoom(brush(timeAt(start), timeAt(end), full)),
  });
  return (
    <section className={classes.axis} aria-labelledby="course">
      <Title order={2} id="course" className="visually-hidden">
        Course
      </Title>
      <Replay
        course={course}
        prepared={prepared}
        atMs={atMs}
        endMs={whole.toMs}
        onAt={onAt}
        zoomed={
          zoom === undefined ? undefined : (
            <Button size="compact-xs" variant="default" onClick={() => onZoom(undefined)}>
              Show all
            </Button>
          )
        }
      />
      <div className={classes.lanes}>
        {weights.length > 0 && (
          <>
            <span className={classes.laneName}>weight</span>
            <div className={classes.lane} data-kind="weight" {...handlers}>
              <Weights prepared={prepared} endMs={Math.min(whole.toMs, prepared.toMs)} />
            </div>
          </>
        )}
        {blocks.length > 0 && (
          <>
            <span className={classes.laneName}>steps</span>
            <div className={classes.lane} data-kind="steps" {...handlers}>
              {blocks.map((block) => (
                <StepBlock key={block.key} block={block} place={place} />
              ))}
            </div>
            {other === undefined && <PreviousLane course={course} axis={axis} place={place} />}
          </>
        )}
        {other !== undefined && (
          <LaneOf course={course} axis={axis} place={place} other={other.course} prepared={other.prepared} />
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
        <CourseMarks name="warnings" marks={cluster} place={place} width={width} atMs={atMs} onAt={onAt} />
        <span />
        <Ticks ref={ref} width={width} prepared={prepared} place={place} />
        {atMs !== undefined && atMs >= prepared.fromMs && atMs <= prepared.toMs && (
          <Overlay>
            <span className={classes.head} style={{ left: percent(place(atMs)) }} />
          </Overlay>
        )}
        {dragged !== undefined && (
          <Overlay>
            <span
              className={classes.dragged}
              style={{ left: percent(dragged[0]), width: percent(dragged[1] - dragged[0]) }}
            />
          </Overlay>
        )}
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

type ReplayProps = Omit<CourseAxisProps, "other"> & { endMs: number; zoomed: React.ReactNode };

/** The moment that is replayed in words, and its slider. `endMs`: the end of the release, also while zoomed. */
function Replay({ course, prepared, atMs, endMs, onAt, zoomed }: ReplayProps) {
  const { fromMs, toMs, stops } = prepared;
  const shownMs = atMs ?? endMs;
  const moment = momentAt(course.moments, shownMs);
  const words = moment === undefined ? "nothing was observed" : describeMoment(moment, course.release.images);
  const exact = formatExact(new Date(shownMs).toISOString());
  return (
    <>
      <div className={classes.replay}>
        <span>
          <Text span size="sm" c="dimmed">
            {atMs === undefined ? (course.to === null ? "Now" : "At the end") : exact}:
          </Text>{" "}
          <Text span className={classes.now}>
            {words}
          </Text>
        </span>
        <Group gap="xs">
          {zoomed ?? (
            <Text span size="xs" c="dimmed">
              Drag the slider to replay, or over the lanes to zoom
            </Text>
          )}
          {atMs !== undefined && (
            <Button size="compact-xs" variant="default" onClick={() => onAt(undefined)}>
              Close replay
            </Button>
          )}
        </Group>
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

/** `endMs`: the end of the release, if the axis is longer. */
function Weights({ prepared, endMs }: { prepared: PreparedCourse; endMs: number }) {
  const { weights } = prepared;
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
        <path className={classes.weightArea} d={`${line}H${x(endMs)}V${tall}H${x(weights[0]?.atMs ?? 0)}Z`} />
        <path className={classes.weightLine} d={`${line}H${x(endMs)}`} />
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

/** Draws across all lanes. */
function Overlay({ children }: { children: React.ReactNode }) {
  return (
    <div
      style={{ position: "absolute", inset: 0, display: "grid", gridTemplateColumns: "inherit", pointerEvents: "none" }}
    >
      <span />
      <div style={{ position: "relative" }}>{children}</div>
    </div>
  );
}

/** A shorter drag, in pixels, is a click with a trembling hand. */
const leastDrag = 6;

type Drag = { onClick: (share: number) => void; onDrag: (start: number, end: number) => void };

/** Tells a click from a drag over a lane; places are shares of its width. `dragged` is in ascending order. */
function useDrag({ onClick, onDrag }: Drag) {
  const [drag, setDrag] = useState<{ start: number; end: number; isLong: boolean }>();
  const shareAt = ({ currentTarget, clientX }: React.PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width));
  };
  const ends =
    drag === undefined ? undefined : ([drag.start, drag.end].toSorted((one, other) => one - other) as [number, number]);
  return {
    dragged: drag?.isLong === true ? ends : undefined,
    handlers: {
      onPointerDown: (event: React.PointerEvent) => {
        // Buttons within the lane keep their clicks.
        if (event.button !== 0 || (event.target as Element).closest("button, a") !== null) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ start: shareAt(event), end: shareAt(event), isLong: false });
      },
      onPointerMove: (event: React.PointerEvent) => {
        if (drag === undefined) return;
        const end = shareAt(event);
        const isLong = drag.isLong || Math.abs(end - drag.start) * event.currentTarget.clientWidth >= leastDrag;
        setDrag({ ...drag, end, isLong });
      },
      onPointerUp: () => {
        if (drag === undefined || ends === undefined) return;
        setDrag(undefined);
        if (drag.isLong) onDrag(...ends);
        else onClick(drag.start);
      },
      onPointerCancel: () => setDrag(undefined),
    },
  };
}
