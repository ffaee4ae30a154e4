"use client";

import { Skeleton, Stack, Text } from "@mantine/core";
import { Counted } from "#components/insights/count-link.tsx";
import { DayChart } from "#components/insights/day-chart.tsx";
import { explainNoComparison, summariseReleases } from "#components/insights/format-figures.ts";
import { InsightFilters, type InsightFiltersProps } from "#components/insights/insight-filters.tsx";
import { HourTable, RolloutTable, TemplateTable } from "#components/insights/insight-tables.tsx";
import classes from "#components/insights/insights.module.css";
import { KeyFigures } from "#components/insights/key-figures.tsx";
import { MetricTable } from "#components/insights/metric-table.tsx";
import { findWrongFilters, type WrongFilter } from "#components/ui/find-wrong-filters.ts";
import { IconChartBar } from "#components/ui/icons.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { Section } from "#components/ui/section.tsx";
import { WrongFilters } from "#components/ui/wrong-filters.tsx";
import { type InsightScope, linkPending } from "#lib/client/insight-links.ts";
import { isDayCount, useAnalysisInsights, useReleaseInsights, visitorZone } from "#lib/client/insight-queries.ts";
import type { AnalysisInsights, ReleaseInsights } from "#lib/contract/insight.ts";
import { formatCountOf } from "#lib/util/words.ts";

/** Shows the figures of a period. With a template or a metric, only those of the analyses: releases have neither. */
export function InsightsBody({ filters }: InsightFiltersProps) {
  const { applied } = filters;
  const isOfAnalysis = applied.template !== "" || applied.metric !== "";
  const releases = useReleaseInsights(applied, !isOfAnalysis);
  const analysis = useAnalysisInsights(applied);
  const wrong = findWrong(analysis.error ?? releases.error, applied);
  const scopeOf = (period: { from: string; to: string }): InsightScope => ({
    ...period,
    cluster: applied.cluster,
    namespace: applied.namespace,
    kind: applied.kind,
    rollout: applied.rollout,
  });
  if (wrong.length > 0)
    return (
      <>
        <InsightFilters filters={filters} />
        <WrongFilters wrong={wrong} noun="figures" state={filters} />
      </>
    );
  return (
    <>
      <InsightFilters filters={filters} />
      <Stack gap="lg">
        {isOfAnalysis ? (
          <Text size="sm" c="dimmed" className={classes.words}>
            These are the figures of one {applied.metric === "" ? "template" : "metric"}. A release has several, so its
            own figures are shown without this filter.
          </Text>
        ) : (
          <QueryView
            what="The figures of releases"
            query={releases}
            skeleton={<Skeleton height={420} aria-hidden="true" />}
          >
            {(insights) => <ReleasePart insights={insights} scope={scopeOf(insights.period)} />}
          </QueryView>
        )}
        <QueryView
          what="The figures of analyses"
          query={analysis}
          skeleton={<Skeleton height={320} aria-hidden="true" />}
        >
          {(insights) => <AnalysisPart insights={insights} scope={scopeOf(insights.period)} />}
        </QueryView>
        <Definitions />
      </Stack>
    </>
  );
}

/** The number of days is not sent to the server: it asks for the times. */
function findWrong(error: Error | null, values: InsightFiltersProps["filters"]["applied"]): WrongFilter[] {
  const { days } = values;
  if (days === "" || isDayCount(days)) return findWrongFilters(error, values);
  return [{ name: "days", value: days, reason: "must be a number from 1 to 400" }];
}

const minuteFormat = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short", year: "numeric" },
  ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" },
});

function ReleasePart({ insights, scope }: { insights: ReleaseInsights; scope: InsightScope }) {
  const { period, recordedSince, figures } = insights;
  const isPartly = recordedSince !== null && recordedSince > period.from;
  return (
    <Stack gap="lg">
      {figures.releases > 0 && <Text className={classes.headline}>{summariseReleases(insights)}</Text>}
      <Text size="sm" c="dimmed" className={classes.words}>
        Releases that began from {minuteFormat.format(new Date(period.from))} to{" "}
        {minuteFormat.format(new Date(period.to))}.
        {isPartly && ` Recorded since ${minuteFormat.format(new Date(recordedSince))}. Earlier releases are unknown.`}{" "}
        {explainNoComparison(insights)}
      </Text>
      {figures.releases === 0 ? (
        <NothingHere
          icon={<IconChartBar size={40} stroke={1.2} />}
          title="No release began in this period"
          hint="Without releases, rates are unknown, not zero. Choose a longer period or fewer filters."
        />
      ) : (
        <>
          <KeyFigures insights={insights} scope={scope} />
          <DayChart days={insights.days} figures={figures} scope={scope} />
          <RolloutTable insights={insights} scope={scope} />
          <HourTable hours={insights.hours} scope={scope} timeZone={visitorZone()} />
        </>
      )}
    </Stack>
  );
}

function AnalysisPart({ insights, scope }: { insights: AnalysisInsights; scope: InsightScope }) {
  const { pendingRuns } = insights;
  const pending =
    pendingRuns === 0 ? undefined : (
      <>
        <Counted link={linkPending(pendingRuns, scope)}>{formatCountOf(pendingRuns, "run")}</Counted>
        {` ${pendingRuns === 1 ? "has" : "have"} ended and will be counted soon.`}
      </>
    );
  if (insights.metrics.length === 0)
    return (
      <NothingHere
        icon={<IconChartBar size={40} stroke={1.2} />}
        title={pendingRuns === 0 ? "No analysis ended in this period" : "No analysis is counted yet"}
        hint={pending ?? "Figures of metrics appear once runs that were created in it have ended."}
      />
    );
  return (
    <Stack gap="lg">
      {pending !== undefined && (
        <Text size="sm" c="dimmed">
          {pending}
        </Text>
      )}
      <MetricTable insights={insights} scope={scope} />
      <TemplateTable insights={insights} scope={scope} />
    </Stack>
  );
}

const definitions = [
  [
    "Releases",
    "Releases that began in the period. Rates count promoted and aborted releases; releases under way and superseded ones are counted separately. Each attempt is a release.",
  ],
  [
    "Change failure rate",
    "Aborted, or promoted and undone within 24 h, that is replaced by a version that had been promoted before. A change that a newer version repaired does not count as failed.",
  ],
  ["Deployment frequency", "Promotions per recorded day."],
  [
    "Time to recover",
    "From the abort to the next promotion of the rollout. For an undone release, from its first degradation, or else from the start of the undo, until the undo ends.",
  ],
  [
    "Lead time",
    "From the commit to the promotion. The commit time is the annotation gatehouse.dev/commit-time of the pod template or of the rollout. Without it, the lead time is unknown.",
  ],
  [
    "Waiting for people",
    "Time in which an ended release waited for a person or was paused by one. In a freeze: while a freeze that a person made, or a freeze window of the current config, was in force.",
  ],
  [
    "Distance to limit",
    "Distance of the values from the nearest number in the conditions, in the metric's own unit: the median over runs of each run's median, and the 10th percentile over runs of each run's 10th percentile.",
  ],
  [
    "Overridden",
    "A person let a release continue while it waited because of the Inconclusive run. Stayed: promoted and not undone within 24 h.",
  ],
] as const;

/** Says how everything on the page is counted. */
function Definitions() {
  return (
    <Section id="definitions" title="How this is counted" className={classes.definitions}>
      <dl>
        {definitions.map(([word, meaning]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
