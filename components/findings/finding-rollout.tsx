"use client";

import { Text } from "@mantine/core";
import { ActionButtons } from "#components/actions/action-buttons.tsx";
import { useRollout } from "#lib/client/rollout-queries.ts";
import type { FindingDetail } from "#lib/contract/finding.ts";

type FindingRolloutProps = { finding: Pick<FindingDetail, "target" | "revisionKey" | "state"> };

/** Shows how much traffic the finding's version gets, and the actions that the rollout's row in the inbox offers. */
export function FindingRollout({ finding: { target, revisionKey, state } }: FindingRolloutProps) {
  const { data } = useRollout(target);
  if (data === undefined || data.presence !== "live") return null;
  const isCurrent = data.revisionKey === revisionKey;
  const actual = data.weight?.actual ?? null;
  return (
    <>
      {isCurrent && actual !== null && (
        <Text size="sm" my="xs">
          This version gets {actual} % of the traffic.
        </Text>
      )}
      {/* A dialog that is open stays when the rollout moves on. */}
      <ActionButtons
        target={data}
        actions={data.allowedActions}
        isQuiet
        isGone={!isCurrent || data.attention === null || state === "closed"}
      />
    </>
  );
}
