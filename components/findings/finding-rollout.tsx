"use client";

import { Text } from "@mantine/core";
import { ActionButtons } from "#components/actions/action-buttons.tsx";
import { useRollout } from "#lib/client/rollout-queries.ts";
import type { FindingDetail } from "#lib/contract/finding.ts";

type FindingRolloutProps = { finding: Pick<FindingDetail, "target" | "revisionKey" | "state"> };

/** Shows in a line how much traffic the finding's version gets now; nothing if that is unknown or it was replaced. */
export function FindingTraffic({ finding: { target, revisionKey } }: FindingRolloutProps) {
  const { data } = useRollout(target);
  const actual = data?.weight?.actual ?? null;
  if (data?.presence !== "live" || data.revisionKey !== revisionKey || actual === null) return null;
  return (
    <Text fw={700} mt={4}>
      This version gets {actual} % of the traffic.
    </Text>
  );
}

/** Shows the actions that the rollout's row in the inbox offers. */
export function FindingRollout({ finding: { target, revisionKey, state } }: FindingRolloutProps) {
  const { data } = useRollout(target);
  if (data === undefined || data.presence !== "live") return null;
  // A dialog that is open stays when the rollout moves on.
  const isGone = data.revisionKey !== revisionKey || data.attention === null || state === "closed";
  return <ActionButtons target={data} actions={data.allowedActions} isGone={isGone} />;
}
