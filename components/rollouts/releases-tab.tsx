"use client";

import { ReleaseTable } from "#components/ui/release-table.tsx";
import type { RolloutName } from "#lib/client/rollout-path.ts";
import { useRolloutReleases } from "#lib/client/rollout-queries.ts";

export function ReleasesTab({ rollout }: { rollout: RolloutName }) {
  return <ReleaseTable list={useRolloutReleases(rollout)} showsRollout={false} />;
}
