"use client";

import { Anchor, Badge, Code, Text, Title } from "@mantine/core";
import Link from "next/link";
import { LazyRunCharts } from "#components/charts/lazy-charts.tsx";
import { useChartZoom } from "#components/charts/use-chart-zoom.ts";
import {
  describeInterval,
  describeLimits,
  describeProgress,
  type LimitLine,
} from "#components/runs/describe-limits.ts";
import { MeasurementTable, PreloadedTable } from "#components/runs/measurement-table.tsx";
import { metricAnchor } from "#components/runs/metric-anchor.ts";
import classes from "#components/runs/runs.module.css";
import { classifyMetric } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconFlaskOff } from "#components/ui/icons.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { MeasurementLogs } from "#components/ui/measurement-logs.tsx";
import { NotedTexts } from "#components/ui/noted-texts.tsx";
import { findAddedExplanation } from "#components/ui/order-metrics.ts";
import { Pips } from "#components/ui/pips.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { backtestHref } from "#lib/client/backtest-href.ts";
import { useEarlierSeries } from "#lib/client/run-page-queries.ts";
import type { AnalysisRunDetail, MeasurementList, RunMetric } from "#lib/contract/analysis-run.ts";
import type { RolloutRef } from "#lib/contract/common.ts";

type RunMeasurementsProps = { run: AnalysisRunDetail; list: MeasurementList };

/** Shows each metric of a run with its chart, its rules and its measurements. */
export function RunMeasurements({ run, list }: RunMeasurementsProps) {
  const askedZoom = useChartZoom();
  const { items: measurements, leftOut = [] } = list;
  // Without it the charts are complete, so that neither loading nor an error is shown.
  const earlier = useEarlierSeries(run.uid).data?.items;
  return (
    <>
      {run.metrics.map((metric) => (
        <PreloadedTable key={metric.name} run={run} metric={metric} />
      ))}
      <LazyRunCharts
        run={run}
        measurements={measurements}
        leftOut={leftOut}
        idOf={metricAnchor}
        askedZoom={askedZoom}
        {...(earlier === undefined ? {} : { earlier })}
        renderHeader={(metric) => (
          <MetricHeader
            metric={metric}
            verdict={run.verdict}
            backtestOf={run.presence === "derived" ? null : run.rollout}
          />
        )}
        renderFooter={(metric) => (
          <>
            {run.rollout !== null && (
              <MeasurementLogs
                rollout={run.rollout}
                metric={metric.name}
                measurements={measurements}
                runStartedAt={run.startedAt}
              />
            )}
            <MetricRules metric={metric} />
            <MeasurementTable run={run} metric={metric} />
          </>
        )}
      />
    </>
  );
}

type MetricHeaderProps = {
  metric: RunMetric;
  verdict: string;
  /** The rollout whose runs can be replayed under other rules; null without one. */
  backtestOf: RolloutRef | null;
};

/** Shows a metric's name and state, and any explanation that is not in the page's verdict. */
function MetricHeader({ metric, verdict, backtestOf }: MetricHeaderProps) {
  const { name, phase, replayedPhase, provider, dryRun, explanation, message, inconsistent, links } = metric;
  const added = findAddedExplanation(metric, verdict);
  const isNews = message !== "" && message !== explanation;
  return (
    <div>
      <div className={classes.metricLine}>
        <Title order={2}>{name}</Title>
        <StateBadge shown={classifyMetric(metric)} size="sm" />
        {replayedPhase !== null && <span className={classes.label}>recorded as {phase}</span>}
        {dryRun && (
          <Badge variant="default" size="sm" tt="none" leftSection={<IconFlaskOff size={12} aria-hidden="true" />}>
            dry run: does not count
          </Badge>
        )}
        <span className={classes.metricSource}>
          {provider}
          <LinkList links={links} about={name} />
          {backtestOf !== null && (
            <Anchor
              component={Link}
              href={backtestHref({ rollout: backtestOf.id, metric: name })}
              size="sm"
              className="screen-only"
            >
              Back-test
            </Anchor>
          )}
        </span>
      </div>
      {(added !== undefined || isNews) && (
        <Text size="sm" mt={4}>
          {added}
          {isNews && (
            <Text span size="sm" c="dimmed">
              {added !== undefined && " "}
              The controller says: <HostileText text={message} />
            </Text>
          )}
        </Text>
      )}
      {inconsistent && (
        <Text size="xs" c="var(--gh-orange-text)">
          The controller's counters and its list of measurements disagree; the measurements are sorted by start time.
        </Text>
      )}
    </div>
  );
}

/** Shows in one line how a metric is judged, as written, and how much of its limits is used; the query is folded. */
function MetricRules({ metric }: { metric: RunMetric }) {
  const { name, successCondition, failureCondition, query, metadata } = metric;
  const others = Object.fromEntries(Object.entries(metadata).filter(([, text]) => text !== query));
  const interval = describeInterval(metric);
  return (
    <div className={classes.rules}>
      <ul className={classes.facts} aria-label={`How ${name} is judged`}>
        <Condition word="pass" condition={successCondition} />
        <Condition word="fail" condition={failureCondition} />
        {describeLimits(metric).map((line) => (
          <Limit key={line.what} line={line} />
        ))}
        <li>
          {describeProgress(metric)}
          {interval !== undefined && `, ${interval}`}
        </li>
        {query === null && <li>query unknown</li>}
      </ul>
      {query !== null && (
        <details className={classes.fold}>
          <summary>Query</summary>
          <Code block className={classes.query}>
            {query}
          </Code>
        </details>
      )}
      <NotedTexts texts={others} label={`Notes on ${name}`} />
    </div>
  );
}

function Condition({ word, condition }: { word: "pass" | "fail"; condition: string | null }) {
  return (
    <li>
      <span className={classes.label}>{word}</span>{" "}
      {condition === null ? "no condition" : <code className={classes.condition}>{condition}</code>}
    </li>
  );
}

function Limit({ line: { what, used, limit, words, isExceeded, isGoal } }: { line: LimitLine }) {
  return (
    <li>
      <span className={classes.label}>{what.toLowerCase()}</span>{" "}
      {!isGoal && !isExceeded && used > 0 && <Pips used={used} limit={limit} />}{" "}
      <span className={isExceeded ? classes.exceeded : undefined}>{words}</span>
    </li>
  );
}
