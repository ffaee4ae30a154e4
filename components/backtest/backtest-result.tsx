"use client";

import { Alert, Loader, SegmentedControl, Skeleton, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import classes from "#components/backtest/backtest.module.css";
import { BacktestTable } from "#components/backtest/backtest-table.tsx";
import { classifyVerdict, describeBacktest, isChanged } from "#components/backtest/describe-backtest.ts";
import type { BacktestSearch, ShownRuns } from "#components/backtest/use-backtest-search.ts";
import { IconAlertTriangle, IconHistoryOff } from "#components/ui/icons.tsx";
import { ErrorNotice, NothingHere } from "#components/ui/query-view.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { useBacktest } from "#lib/client/backtest-queries.ts";
import { runHref } from "#lib/client/rollout-path.ts";
import type { BacktestAnswer, BacktestRun, BacktestVerdict } from "#lib/contract/backtest.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

type BacktestResultProps = { query: ReturnType<typeof useBacktest>; search: BacktestSearch };

/** Shows the answer, or why it is missing. A refused proposal is explained at its fields. */
export function BacktestResult({ query, search }: BacktestResultProps) {
  const { data, error, isFetching } = query;
  const isRefused = isGatehouseError(error, "invalid_request");
  const isExplained =
    isRefused && (error.problem?.invalidParams ?? []).some(({ name }) => name.startsWith("proposal."));
  if (error !== null && !isRefused) {
    return <ErrorNotice error={error} what="The back-test" onRetry={() => void query.refetch()} />;
  }
  if (isRefused) {
    return (
      <Alert
        color="red"
        variant="outline"
        role="alert"
        bg="var(--gh-surface)"
        icon={<IconAlertTriangle size={18} />}
        title="Nothing was replayed"
      >
        {isExplained ? "Correct the rule that is marked above." : error.message}
      </Alert>
    );
  }
  if (data === undefined) return <ResultSkeleton />;
  if (data.totals.runs === 0) {
    return (
      <NothingHere
        icon={<IconHistoryOff size={40} stroke={1.2} />}
        title="No runs to replay"
        hint="No run with this metric has ended in this period, or you may not see any. Choose a longer period, or another metric."
      />
    );
  }
  return <Answer answer={data} isStale={isFetching} search={search} />;
}

type AnswerProps = { answer: BacktestAnswer; isStale: boolean; search: BacktestSearch };

function Answer({ answer, isStale, search }: AnswerProps) {
  const { main, details } = describeBacktest(answer);
  const { show } = search.values;
  const runs = answer.runs.filter((run) => isShown(run, show));
  const { changed, proposed, runs: all } = answer.totals;
  return (
    <Stack gap="md" aria-busy={isStale}>
      <div role="status">
        <Title order={2} className={classes.headline}>
          {main} {isStale && <Loader size="xs" aria-label="Replaying" />}
        </Title>
        <Text size="sm" c="dimmed">
          {details.join(" · ")}
        </Text>
      </div>
      <VerdictStrip runs={answer.runs} />
      <SegmentedControl
        size="xs"
        className={classes.show}
        aria-label="Runs to list"
        value={show}
        onChange={(value) => void search.set({ show: value as ShownRuns })}
        data={[
          { value: "all", label: `All ${all}` },
          { value: "changed", label: `Changed ${changed}` },
          { value: "undecided", label: `Undecided ${proposed.undecided}` },
        ]}
      />
      {runs.length === 0 ? (
        <Text size="sm" c="dimmed">
          {show === "changed" ? "No run would get a different verdict." : "Every run is decided."}
        </Text>
      ) : (
        <BacktestTable runs={runs} />
      )}
    </Stack>
  );
}

function isShown(run: BacktestRun, show: ShownRuns): boolean {
  if (show === "all") return true;
  return show === "changed" ? isChanged(run) : run.proposed.run.phase === "undecided";
}

function ResultSkeleton() {
  return (
    <Stack gap="md" aria-busy="true">
      <span role="status" className="visually-hidden">
        Replaying
      </span>
      <Skeleton height={24} width="60%" />
      <Skeleton height={44} />
      <Skeleton height={220} />
    </Stack>
  );
}

/** More marks than this say no more than the table. */
const maxMarks = 240;

/** Draws a column per run, oldest first: the recorded verdict above, the one under the proposal below. */
function VerdictStrip({ runs }: { runs: readonly BacktestRun[] }) {
  const shown = runs.slice(0, maxMarks).toReversed();
  return (
    <figure className={classes.strip}>
      <figcaption className={classes.stripLabels} aria-hidden="true">
        <span>recorded</span>
        <span>proposed</span>
      </figcaption>
      <ol className={classes.marks} aria-label="Verdicts of the runs, oldest first: recorded, then under the proposal">
        {shown.map((run) => (
          <li key={run.uid} data-changed={isChanged(run) || undefined}>
            <Link href={runHref(run.uid)} title={nameMarks(run)} aria-label={nameMarks(run)} prefetch={false}>
              <Mark phase={run.recorded.run} />
              <Mark phase={run.proposed.run.phase} />
            </Link>
          </li>
        ))}
      </ol>
    </figure>
  );
}

function Mark({ phase }: { phase: BacktestVerdict["phase"] }) {
  const { state } = classifyVerdict(phase);
  return (
    <span className={classes.mark}>
      <StateIcon state={state} size={14} />
    </span>
  );
}

function nameMarks({ name, recorded, proposed }: BacktestRun): string {
  return `${name}: recorded ${recorded.run}, under the proposal ${classifyVerdict(proposed.run.phase).word}`;
}
