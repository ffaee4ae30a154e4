import { Anchor } from "@mantine/core";
import Link from "next/link";
import { MarkSign } from "#components/charts/chart-marks.tsx";
import classes from "#components/runs/runs.module.css";
import { formatExact, formatOffset } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";

/** Lists the marks of the charts in words: the events of the rollout during the run. */
export function RunEvents({ run: { marks, startedAt } }: { run: Pick<AnalysisRunDetail, "marks" | "startedAt"> }) {
  if (marks.length === 0 || startedAt === null) return null;
  const people = marks.filter(({ kind }) => kind === "person").length;
  return (
    <details className={classes.fold}>
      <summary>
        During this run: {marks.length === 1 ? "1 event" : `${marks.length} events`}
        {people > 0 && `, ${people} by people or other clients`}
      </summary>
      <ol className={classes.events}>
        {marks.map(({ at, kind, text, auditSeq, outcomeSeq }) => (
          <li key={`${at} ${kind} ${text}`}>
            <svg width="14" height="14" aria-hidden="true">
              <MarkSign x={7} y={7} kind={kind} />
            </svg>
            <time dateTime={at} title={formatExact(at)}>
              {formatOffset(Date.parse(at), Date.parse(startedAt))}
            </time>
            <span>
              <HostileText text={text} />
              <EntryLink seq={outcomeSeq ?? auditSeq} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function EntryLink({ seq }: { seq: number | null }) {
  if (seq === null) return null;
  return (
    <>
      {" "}
      <Anchor component={Link} href={auditHref(seq)} inherit>
        Audit entry
      </Anchor>
    </>
  );
}
