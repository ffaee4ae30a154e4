import { Anchor, Badge, Group, Text, Title } from "@mantine/core";
import { IconFlaskOff } from "@tabler/icons-react";
import Link from "next/link";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { backtestHref } from "#lib/client/backtest-href.ts";
import type { RunMetric } from "#lib/contract/analysis-run.ts";
import type { RolloutRef } from "#lib/contract/common.ts";

type MetricHeaderProps = {
  metric: RunMetric;
  /** The rollout whose runs can be replayed under other rules; null if there is none. */
  backtestOf: RolloutRef | null;
};

export function MetricHeader({ metric, backtestOf }: MetricHeaderProps) {
  const { name, phase, provider, dryRun, explanation, message, inconsistent, links } = metric;
  return (
    <div>
      <Group gap="sm">
        <Title order={2}>{name}</Title>
        <StateBadge shown={classifyAnalysis(phase)} size="sm" />
        {provider !== null && (
          <Text size="xs" c="dimmed">
            {provider}
          </Text>
        )}
        {dryRun && (
          <Badge variant="default" size="sm" tt="none" leftSection={<IconFlaskOff size={12} aria-hidden="true" />}>
            dry run: does not count
          </Badge>
        )}
        <LinkList links={links} about={name} />
        {backtestOf !== null && (
          <Anchor component={Link} href={backtestHref({ rollout: backtestOf.id, metric: name })} size="xs">
            Back-test
          </Anchor>
        )}
      </Group>
      <Text size="sm" my={4}>
        {explanation}
        {message !== "" && message !== explanation && (
          <Text span size="sm" c="dimmed">
            {" "}
            The controller says: <HostileText text={message} />
          </Text>
        )}
      </Text>
      {inconsistent && (
        <Text size="xs" c="var(--gh-orange-text)">
          The controller's counters and its list of measurements disagree; the measurements are sorted by start time.
        </Text>
      )}
    </div>
  );
}
