"use client";

import { Stack } from "@mantine/core";
import { UndoToRevision } from "#components/actions/undo-to-revision.tsx";
import { RolloutInsightLine } from "#components/ui/insight-line.tsx";
import { ReleaseTable } from "#components/ui/release-table.tsx";
import { useRolloutReleases } from "#lib/client/rollout-queries.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

/** Lists the releases of a rollout; each that the cluster still has can be gone back to. */
export function ReleasesTab({ rollout }: { rollout: RolloutDetail }) {
  return (
    <Stack gap="xs">
      <RolloutInsightLine rollout={rollout} />
      <ReleaseTable
        list={useRolloutReleases(rollout)}
        showsRollout={false}
        actionsOf={(release) => <UndoToRevision rollout={rollout} release={release} isListed />}
      />
    </Stack>
  );
}
