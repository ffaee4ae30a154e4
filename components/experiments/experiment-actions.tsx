"use client";

import { useState } from "react";
import { SubjectActions } from "#components/actions/subject-actions.tsx";
import { describeExperiment } from "#components/experiments/describe-experiment.ts";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import type { ExperimentDetail } from "#lib/contract/experiment.ts";

/** Ends a running experiment, or restarts one that ended without success. */
export function ExperimentActions({ experiment }: { experiment: ExperimentDetail }) {
  const { uid, name, phase, terminated, presence } = experiment;
  const isRunning = phase === "Pending" || phase === "Running";
  const [wasRunning] = useState(isRunning);
  if (presence !== "live") return null;
  const isUnsuccessful = phase === "Failed" || phase === "Error" || phase === "Inconclusive";
  return (
    <SubjectActions
      subject={{ kind: "Experiment", uid, name }}
      place={experiment}
      state={`${phase} ${terminated}`}
      actions={[
        ...(isUnsuccessful ? (["retry"] as const) : []),
        // An action stays visible once somebody saw it, and says why it is disabled.
        ...(isRunning || wasRunning ? (["terminate"] as const) : []),
      ]}
      evidence={<Judged experiment={experiment} />}
    />
  );
}

/** Shows each of its analyses, or its own state if it has none. */
function Judged({ experiment }: { experiment: ExperimentDetail }) {
  if (experiment.analyses.length === 0) return <HostileText text={describeExperiment(experiment)} />;
  return experiment.analyses.map(({ name, phase, message }) => (
    <div key={name}>
      <StateBadge shown={classifyAnalysis(phase)} size="sm" variant="plain" /> {name}
      {message !== "" && (
        <>
          : <HostileText text={message} />
        </>
      )}
    </div>
  ));
}
