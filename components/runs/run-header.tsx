"use client";

import { Skeleton, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import { RunFacts } from "#components/runs/run-facts.tsx";
import classes from "#components/runs/runs.module.css";
import { VerdictCheckLine } from "#components/runs/verdict-check-line.tsx";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";

const RunActions = dynamic(() => import("#components/runs/run-actions.tsx").then((module) => module.RunActions), {
  ssr: false,
  loading: () => <Skeleton height={30} width="40%" />,
});

const FindingList = dynamic(() => import("#components/ui/finding-list.tsx").then((module) => module.FindingList), {
  ssr: false,
});

/** Shows the verdict, only here on the page, with its check, the run's facts, the reasons to doubt it, and findings. */
export function RunHeader({ run }: { run: AnalysisRunDetail }) {
  return (
    <header className={classes.header}>
      <div className={classes.verdict}>
        <span className={classes.sign}>
          <StateIcon state={classifyAnalysis(run.phase).state} size={24} />
        </span>
        <Title order={1} className={classes.verdictText}>
          <HostileText text={run.verdict} />
        </Title>
        <VerdictCheckLine run={run} />
      </div>
      <RunFacts run={run} />
      <RunNotes run={run} />
      <FindingList label="Findings about this run" filters={{ run: run.uid }} />
    </header>
  );
}

/** Not in the header: the bar stays in view while the metrics are read. */
export function RunDecision({ run }: { run: AnalysisRunDetail }) {
  return <RunActions run={run} />;
}

/** Shows the reasons to doubt the verdict. */
function RunNotes({ run }: { run: AnalysisRunDetail }) {
  const notes = [
    run.start,
    run.terminated && run.verdictCheck?.state !== "ended-early" && "The run was terminated before its rules ended it.",
    run.presence === "deleted" && "The cluster has deleted this run. Everything below was recorded earlier.",
    run.presence === "unobserved" &&
      "The run ended while Gatehouse was not watching. Anything after the last record is unknown.",
    run.presence === "derived" &&
      "The controller keeps no record of its checks: this run was derived from its messages. Checks that passed have no value.",
    run.measurementsExpired && "Its measurements are past their retention period and were deleted.",
    run.lostMeasurements === 1 && "1 measurement was never observed; the chart shows a gap.",
    run.lostMeasurements > 1 && `${run.lostMeasurements} measurements were never observed; the chart shows gaps.`,
  ].filter((note) => note !== false && note !== null);
  if (notes.length === 0) return null;
  return (
    <ul className={classes.notes}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
