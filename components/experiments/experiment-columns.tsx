import { Group, Text } from "@mantine/core";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import type { Column } from "#components/ui/item-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import { describePresence } from "#components/ui/run-table.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { experimentHref } from "#lib/client/rollout-path.ts";
import type { ExperimentSummary } from "#lib/contract/experiment.ts";

export const experimentColumns: readonly Column<ExperimentSummary>[] = [
  {
    key: "phase",
    header: "Verdict",
    width: "13%",
    cell: ({ phase }) => <StateBadge shown={classifyAnalysis(phase)} size="sm" />,
  },
  {
    key: "name",
    header: "Experiment",
    width: "25%",
    isName: true,
    cell: ({ uid, name }) => <RowLink href={experimentHref(uid)}>{name}</RowLink>,
  },
  { key: "rollout", header: "Rollout", width: "23%", cell: (experiment) => describeOwner(experiment) },
  {
    key: "revision",
    header: "Revision",
    width: "8%",
    align: "right",
    cell: ({ revision, podHash }) => revision ?? podHash ?? "unknown",
  },
  { key: "runs", header: "Analysis runs", width: "12%", align: "right", cell: ({ runs }) => runs.total },
  { key: "presence", header: "Kept", width: "10%", cell: ({ presence }) => describePresence(presence) },
  {
    key: "time",
    header: "Created",
    width: "9%",
    align: "right",
    noWrap: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} focusable={false} />,
  },
];

export function describeOwner({ cluster, namespace, rollout }: ExperimentSummary): string {
  return rollout === null
    ? `${cluster} / ${namespace}, no rollout`
    : `${rollout.cluster} / ${rollout.namespace}/${rollout.name}`;
}

/** Shows an Experiment as a card, for narrow screens. */
export function ExperimentCard({ experiment }: { experiment: ExperimentSummary }) {
  const { uid, name, phase, createdAt, runs, presence } = experiment;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <StateBadge shown={classifyAnalysis(phase)} size="sm" />
        <Text size="xs" c="dimmed">
          <RelativeTime at={createdAt} focusable={false} />
        </Text>
      </Group>
      <Text fw={600} mt={4}>
        <RowLink href={experimentHref(uid)}>{name}</RowLink>
      </Text>
      <Text size="sm" c="dimmed">
        {describeOwner(experiment)} · {runs.total === 1 ? "1 run" : `${runs.total} runs`} · {describePresence(presence)}
      </Text>
    </>
  );
}
