"use client";

import { RunTable } from "#components/ui/run-table.tsx";
import { useRolloutRuns } from "#lib/client/rollout-queries.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

export function RunsTab({ rollout }: { rollout: ObjectRef }) {
  return <RunTable list={useRolloutRuns(rollout)} showsRollout={false} />;
}
