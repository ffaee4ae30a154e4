"use client";

import { Text } from "@mantine/core";
import { useState } from "react";
import { RolloutActions } from "#components/actions/rollout-actions.tsx";
import { SubjectActions } from "#components/actions/subject-actions.tsx";
import classes from "#components/runs/runs.module.css";
import { nameVersion } from "#lib/client/describe-images.ts";
import { useRollout } from "#lib/client/rollout-queries.ts";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** Offers to end the run itself and, if its rollout waits for an answer to it, the actions of the rollout. */
export function RunActions({ run }: { run: AnalysisRunDetail }) {
  return (
    <>
      <EndRun run={run} />
      {run.rollout !== null && <Decision uid={run.uid} rollout={run.rollout} />}
    </>
  );
}

/** Ends a running run. If the run ends while the page is open, the button stays, disabled, with the reason. */
function EndRun({ run }: { run: AnalysisRunDetail }) {
  const { uid, name, phase, terminated, presence } = run;
  const isRunning = presence === "live" && (phase === "Pending" || phase === "Running");
  const [wasRunning] = useState(isRunning);
  if (!isRunning && !(wasRunning && presence === "live")) return null;
  return (
    <SubjectActions
      subject={{ kind: "AnalysisRun", uid, name }}
      place={run}
      state={`${phase} ${terminated}`}
      actions={["terminate"]}
    />
  );
}

/** Shows the same buttons as the rollout's page. Nothing for a run of the past: its rollout has moved on. */
function Decision({ uid, rollout }: { uid: string; rollout: ObjectRef }) {
  const { data } = useRollout(rollout);
  // Once shown, an action stays visible, with the reason why it is disabled.
  const [wasAnswerable, setWasAnswerable] = useState(false);
  const isNow = data !== undefined && isAnswerable(uid, data);
  if (isNow && !wasAnswerable) setWasAnswerable(true);
  if (data === undefined || !(isNow || wasAnswerable)) return null;
  return (
    <section className={classes.decision} aria-label={`Decision on ${data.namespace}/${data.name}`}>
      <Traffic rollout={data} />
      <RolloutActions rollout={data} />
    </section>
  );
}

function Traffic({ rollout }: { rollout: RolloutDetail }) {
  const words = describeTraffic(rollout);
  return words !== undefined && <Text fw={600}>{words}</Text>;
}

type Served = Parameters<typeof nameVersion>[0] & Pick<RolloutDetail, "weight" | "steps" | "aborted">;

/**
 * Says which version serves all traffic now; undefined while two share it, as the chart shows, or may share it, or if it
 * is unknown.
 */
export function describeTraffic(rollout: Served): string | undefined {
  const { weight, revisionKey, stableRevisionKey } = rollout;
  const stable = mayGetRequests(rollout) ? null : stableRevisionKey;
  const key = weight?.actual === 100 ? revisionKey : weight?.actual === 0 ? stable : null;
  return key === null ? undefined : `${nameVersion(rollout, key)} serves all traffic.`;
}

/** Returns whether the new version may get requests at weight 0: by a header, or in an experiment. An abort ends both. */
function mayGetRequests({ steps, aborted, revisionKey, stableRevisionKey }: Served): boolean {
  if (aborted || revisionKey === stableRevisionKey) return false;
  return steps.some(({ kind, state }) => state !== "pending" && (kind === "setHeaderRoute" || kind === "experiment"));
}

type Rollout = Pick<RolloutDetail, "presence" | "attention" | "currentRuns" | "releaseRuns">;

/**
 * Returns whether the rollout's next action answers this run: it is being measured now, or the rollout waits over it or over a finding while its
 * verdict is contradicted.
 */
export function isAnswerable(uid: string, { presence, attention, currentRuns, releaseRuns }: Rollout): boolean {
  if (presence !== "live") return false;
  const current = currentRuns.find((run) => run.uid === uid);
  if (current?.phase === "Running" || current?.phase === "Pending") return true;
  const own = releaseRuns.find((run) => run.uid === uid);
  const isDoubted = attention?.reason === "finding" && own?.contradiction === true;
  return attention !== null && (own?.decided === true || isDoubted || current !== undefined);
}
