"use client";

import { RunTable } from "#components/ui/run-table.tsx";
import type { RolloutName } from "#lib/client/rollout-path.ts";
import { useRolloutRuns } from "#lib/client/rollout-queries.ts";

export function RunsTab({ rollout }: { rollout: RolloutName }) {
  return <RunTable list={useRolloutRuns(rollout)} showsRollout={false} />;
}
