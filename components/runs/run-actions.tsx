"use client";

import { useState } from "react";
import { SubjectActions } from "#components/actions/subject-actions.tsx";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";

/** Ends a running run. If the run ends while somebody watches, the button stays and says why it is disabled. */
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
