import { Group, Text } from "@mantine/core";
import { ImageChange } from "#components/rollouts/image-change.tsx";
import { isQuiet } from "#components/rollouts/is-quiet.ts";
import { formatStep } from "#components/rollouts/rollout-columns.tsx";
import { classifyRollout } from "#components/ui/classify-state.ts";
import { FindingMark } from "#components/ui/finding-mark.tsx";
import { PlaceName } from "#components/ui/place-name.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { describeWeight, WeightBar } from "#components/ui/weight-bar.tsx";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";

/** Shows a rollout as a card, for narrow screens. */
export function RolloutCard({ rollout }: { rollout: RolloutSummary }) {
  const { namespace, name, cluster, stepCount, weight, images, waitingSince } = rollout;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap={8}>
          <StateBadge shown={classifyRollout(rollout)} size="sm" />
          <FindingMark findings={rollout.findings} />
        </Group>
        {waitingSince !== null && (
          <Text size="xs" fw={600}>
            waiting <RelativeTime at={waitingSince} form="for" />
          </Text>
        )}
      </Group>
      <Text component="div" fw={600} mt={6}>
        <PlaceName href={rolloutHref(rollout)} namespace={namespace} name={name} />
      </Text>
      <Group gap="sm" mt={4}>
        <Text size="sm" c="dimmed">
          {cluster}
        </Text>
        {stepCount > 0 && <Text size="sm">step {formatStep(rollout)}</Text>}
        {weight !== null &&
          (isQuiet(rollout) ? (
            <Text size="sm" c="dimmed">
              {describeWeight(weight)}
            </Text>
          ) : (
            <WeightBar weight={weight} width={48} />
          ))}
        <ImageChange images={images} />
      </Group>
    </>
  );
}
