import { Anchor, Badge, Text, Title } from "@mantine/core";
import { IconFlaskOff } from "@tabler/icons-react";
import Link from "next/link";
import classes from "#components/runs/runs.module.css";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { backtestHref } from "#lib/client/backtest-href.ts";
import type { RunMetric } from "#lib/contract/analysis-run.ts";
import type { RolloutRef } from "#lib/contract/common.ts";

type MetricHeaderProps = {
  metric: RunMetric;
  verdict: string;
  /** The rollout whose runs can be replayed under other rules; null without one. */
  backtestOf: RolloutRef | null;
};

/** Shows a metric's name and state, and any explanation that is not in the page's verdict. */
export function MetricHeader({ metric, verdict, backtestOf }: MetricHeaderProps) {
  const { name, phase, provider, dryRun, explanation, message, inconsistent, links } = metric;
  const added = findAddedExplanation(metric, verdict);
  const isNews = message !== "" && message !== explanation;
  return (
    <div>
      <div className={classes.metricLine}>
        <Title order={2}>{name}</Title>
        <StateBadge shown={classifyAnalysis(phase)} size="sm" />
        {dryRun && (
          <Badge variant="default" size="sm" tt="none" leftSection={<IconFlaskOff size={12} aria-hidden="true" />}>
            dry run: does not count
          </Badge>
        )}
        <span className={classes.metricSource}>
          {provider}
          <LinkList links={links} about={name} />
          {backtestOf !== null && (
            <Anchor component={Link} href={backtestHref({ rollout: backtestOf.id, metric: name })} size="sm">
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

/** Returns the metric's explanation; undefined if it is empty or part of the verdict at the top of the page. */
export function findAddedExplanation(
  { explanation }: Pick<RunMetric, "explanation">,
  verdict: string,
): string | undefined {
  const words = explanation.trim().replace(/\.$/, "");
  return words === "" || verdict.toLowerCase().includes(words.toLowerCase()) ? undefined : explanation;
}
