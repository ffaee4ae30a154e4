"use client";

import { Tooltip } from "@mantine/core";
import Link from "next/link";
import activityClasses from "#components/releases/activity.module.css";
import classes from "#components/releases/course.module.css";
import {
  activityWords,
  describeExperimentLane,
  describeRunLane,
  nameWithin,
} from "#components/releases/course-words.ts";
import type { Block, ExperimentLane, PluginLane, RunLane } from "#components/releases/prepare-course.ts";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { nameRunPlace } from "#components/ui/run-type-words.ts";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { experimentHref } from "#lib/client/rollout-path.ts";
import type { AnalysisPhase } from "#lib/contract/common.ts";
import { describePluginStatus } from "#lib/domain/delivery/step-words.ts";

/** Returns the share of the axis, from 0 to 1. */
export type Place = (atMs: number) => number;

export const percent = (share: number) => `${(share * 100).toFixed(3)}%`;

type OnAxis = { place: Place; onAt: (atMs: number) => void };

/** Shows when an analysis ran, and what came of it. */
export function LaneOfRun({ lane, ...axis }: OnAxis & { lane: RunLane }) {
  const name = nameRunPlace(lane);
  return (
    <>
      <span className={classes.laneName}>{name}</span>
      <Bar span={lane} phase={lane.phase} decided={lane.decided} words={describeRunLane(name, lane)} {...axis} />
    </>
  );
}

/** Shows when a plugin performed its part of a step, and what came of it. */
export function LaneOfPlugin({ lane, ...axis }: OnAxis & { lane: PluginLane }) {
  const { step, operation, phase } = lane;
  const words = `Step ${step + 1}: ${describePluginStatus(lane)}`;
  const known = pluginPhases.find((each) => each === phase) ?? "Unknown";
  return (
    <>
      <span className={classes.laneName} title={lane.name}>
        plugin step {step + 1}
      </span>
      <Bar span={lane} phase={known} decided={operation === "Run" && phase === "Failed"} words={words} {...axis} />
    </>
  );
}

const pluginPhases = ["Running", "Successful", "Failed", "Error"] as const;

/** Shows when an Experiment ran and what came of it, with its analyses below. */
export function LanesOfExperiment({ lane, ...axis }: OnAxis & { lane: ExperimentLane }) {
  const { uid, name, phase, lanes } = lane;
  return (
    <>
      <Link className={classes.laneName} href={experimentHref(uid)} title={name} aria-label={`Open experiment ${name}`}>
        experiment
      </Link>
      <Bar span={lane} phase={phase} kind="experiment" words={describeExperimentLane(lane)} {...axis} />
      {lanes.map((run) => {
        const own = nameWithin(name, run);
        return (
          <div key={run.uid} className={classes.inner}>
            <span className={classes.laneName} data-inner title={run.name}>
              <bdi>{own}</bdi>
            </span>
            <Bar
              span={run}
              phase={run.phase}
              decided={run.decided}
              words={describeRunLane(`${own} of experiment ${name}`, run)}
              {...axis}
            />
          </div>
        );
      })}
    </>
  );
}

type BarProps = OnAxis & {
  span: { fromMs: number; toMs: number; isCut?: boolean };
  phase: AnalysisPhase;
  words: string;
  decided?: boolean;
  kind?: "experiment";
};

function Bar({ span: { fromMs, toMs, isCut }, phase, words, decided = false, kind, place, onAt }: BarProps) {
  return (
    <div className={classes.lane}>
      <span
        className={classes.run}
        data-decided={decided || undefined}
        data-kind={kind}
        style={{ left: percent(place(fromMs)), width: percent(place(toMs) - place(fromMs)) }}
      />
      {isCut === true ? (
        <span className="visually-hidden">{words}</span>
      ) : (
        <Tooltip label={words} multiline maw={360}>
          <button
            type="button"
            className={classes.runEnd}
            style={{ left: `clamp(12px, ${percent(place(toMs))}, calc(100% - 12px))` }}
            aria-label={`${words}. Show this moment`}
            onClick={() => onAt(toMs)}
          >
            <StateIcon state={classifyAnalysis(phase).state} size={18} />
          </button>
        </Tooltip>
      )}
    </div>
  );
}

export function StepBlock({ block, place }: { block: Block; place: Place }) {
  const { fromMs, toMs, text, activity } = block;
  const { word, hue } = activityWords[activity];
  const share = place(toMs) - place(fromMs);
  return (
    <Tooltip label={text === "" ? word : `${text}: ${word}`}>
      <span className={classes.stretch} style={{ left: percent(place(fromMs)), width: percent(share) }}>
        <span className={`${classes.block} ${activityClasses.fill}`} data-hue={hue} data-activity={activity} />
        <span className={share > 0.07 ? classes.blockText : "visually-hidden"}>
          <span className={classes.blockWords}>{text}</span>
          <span className="visually-hidden">: {word}</span>
        </span>
      </span>
    </Tooltip>
  );
}
