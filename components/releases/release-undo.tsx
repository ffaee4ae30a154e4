"use client";

import { UndoToRevision } from "#components/actions/undo-to-revision.tsx";
import { useRollout } from "#lib/client/rollout-queries.ts";
import type { Release } from "#lib/contract/rollout.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";

/** Offers to go back to this release, if its rollout still exists. */
export function ReleaseUndo({ release }: { release: Release }) {
  const { cluster, namespace, kind, name } = release.rollout;
  const isKnown = isDeliveryKind(kind);
  const { data } = useRollout({ cluster, namespace, kind: isKnown ? kind : "Rollout", name }, isKnown);
  return data === undefined ? null : <UndoToRevision rollout={data} release={release} />;
}
