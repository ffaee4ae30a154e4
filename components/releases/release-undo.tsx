"use client";

import { Anchor } from "@mantine/core";
import Link from "next/link";
import { UndoToRevision } from "#components/actions/undo-to-revision.tsx";
import { nameVersion } from "#lib/client/describe-images.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import { useRollout } from "#lib/client/rollout-queries.ts";
import type { Release, RolloutDetail } from "#lib/contract/rollout.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";

/**
 * Offers to go back to this release, if its rollout still exists. The rollout's page offers an abort, which goes back to
 * the stable release while another version is under way, and to retry an aborted release.
 */
export function ReleaseUndo({ release }: { release: Release }) {
  const { cluster, namespace, kind, name } = release.rollout;
  const isKnown = isDeliveryKind(kind);
  const { data } = useRollout({ cluster, namespace, kind: isKnown ? kind : "Rollout", name }, isKnown);
  if (data === undefined) return null;
  const words = describeUnderWay(data, release);
  if (words === undefined) return <UndoToRevision rollout={data} release={release} />;
  return (
    <Anchor component={Link} href={rolloutHref(data)} size="sm">
      {words}
    </Anchor>
  );
}

type UnderWay = Pick<
  RolloutDetail,
  "presence" | "aborted" | "images" | "replicaSets" | "revisionKey" | "stableRevisionKey" | "weight"
>;

/**
 * Says which version is stable: if this one is and another is under way, "v1 is stable, v2 gets 50 %"; if this one is
 * aborted, "v1 is stable". Otherwise undefined.
 */
export function describeUnderWay(rollout: UnderWay, { runKey }: Pick<Release, "runKey">): string | undefined {
  const { presence, aborted, revisionKey, stableRevisionKey, weight } = rollout;
  if (presence !== "live" || stableRevisionKey === null || revisionKey === stableRevisionKey) return undefined;
  if (runKey !== (aborted ? revisionKey : stableRevisionKey)) return undefined;
  const [stable, next] = [stableRevisionKey, revisionKey].map((key) => nameVersion(rollout, key));
  const share = weight?.actual ?? null;
  if (aborted) return `${stable} is stable${share !== null && share > 0 ? `, ${next} still gets ${share} %` : ""}`;
  return `${stable} is stable, ${next} ${share === null ? "is under way" : `gets ${share} %`}`;
}
