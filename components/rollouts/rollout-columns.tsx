import { Group, Text } from "@mantine/core";
import { ImageChange } from "#components/rollouts/image-change.tsx";
import { classifyRollout } from "#components/ui/classify-state.ts";
import { FindingMark } from "#components/ui/finding-mark.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { WeightBar } from "#components/ui/weight-bar.tsx";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { currentStepNumber } from "#lib/domain/delivery/step-place.ts";

export const rolloutColumns: readonly Column<RolloutSummary>[] = [
  {
    key: "state",
    header: "State",
    width: "16%",
    cell: (rollout) => (
      <Group gap={8}>
        <StateBadge shown={classifyRollout(rollout)} size="sm" />
        <FindingMark findings={rollout.findings} />
      </Group>
    ),
  },
  {
    key: "name",
    header: "Rollout",
    width: "24%",
    isName: true,
    cell: (rollout) => (
      <RowLink href={rolloutHref(rollout)}>
        <Text span c="dimmed" inherit fw={400}>
          {rollout.namespace}/
        </Text>
        {rollout.name}
      </RowLink>
    ),
  },
  { key: "cluster", header: "Cluster", width: "9%", cell: ({ cluster }) => cluster },
  {
    key: "step",
    header: "Step",
    width: "6%",
    align: "right",
    cell: formatStep,
  },
  {
    key: "weight",
    header: "Traffic",
    width: "15%",
    cell: ({ weight }) => (weight === null ? "" : <WeightBar weight={weight} width={56} />),
  },
  { key: "images", header: "Version", width: "15%", cell: ({ images }) => <ImageChange images={images} /> },
  {
    key: "time",
    header: "Since",
    width: "15%",
    align: "right",
    noWrap: true,
    cell: ({ waitingSince, updatedAt }) =>
      waitingSince === null ? (
        <Text span c="dimmed" inherit>
          changed <RelativeTime at={updatedAt} focusable={false} />
        </Text>
      ) : (
        <Text span fw={600} inherit>
          waiting <RelativeTime at={waitingSince} form="since" focusable={false} />
        </Text>
      ),
  },
];

/** Formats the current step of the total, counted from 1: "4/8". Returns nothing if the strategy has no steps. */
export function formatStep(rollout: Pick<RolloutSummary, "step" | "stepCount" | "abortPoint">): string {
  return rollout.stepCount === 0 ? "" : `${currentStepNumber(rollout) ?? "?"}/${rollout.stepCount}`;
}
