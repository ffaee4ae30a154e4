"use client";

import { ReleaseTable } from "#components/ui/release-table.tsx";
import { useRolloutReleases } from "#lib/client/rollout-queries.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

export function ReleasesTab({ rollout }: { rollout: ObjectRef }) {
  return <ReleaseTable list={useRolloutReleases(rollout)} showsRollout={false} />;
}
