"use client";

import { useState } from "react";
import { SubjectActions } from "#components/actions/subject-actions.tsx";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";

/** Ends a run that is under way. One that ends while somebody looks keeps its button, which says why it is off. */
export function RunActions({ run }: { run: AnalysisRunDetail }) {
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
      evidence={<Measured run={run} />}
    />
  );
}

/** What it has measured so far. */
function Measured({ run: { verdict, metrics } }: { run: AnalysisRunDetail }) {
  if (metrics.length === 0) return <HostileText text={verdict} />;
  return metrics.map(({ name, phase, explanation }) => (
    <div key={name}>
      <StateBadge shown={classifyAnalysis(phase)} size="sm" variant="plain" /> <HostileText text={explanation} />
    </div>
  ));
}
