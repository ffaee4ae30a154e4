"use client";

import { useState } from "react";
import { SubjectActions } from "#components/actions/subject-actions.tsx";
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
    />
  );
}
