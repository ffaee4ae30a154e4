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
 * Offers to go back to this release, if its rollout still exists. While another version is under way, going back to the
 * stable one is an abort, which the rollout's page offers.
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

/** Says which version is under way if this one is stable: "v1 is stable, v2 gets 50 %"; otherwise undefined. */
export function describeUnderWay(rollout: UnderWay, { runKey }: Pick<Release, "runKey">): string | undefined {
  const { presence, aborted, revisionKey, stableRevisionKey, weight } = rollout;
  if (presence !== "live" || aborted || stableRevisionKey !== runKey || revisionKey === runKey) return undefined;
  const [stable, next] = [runKey, revisionKey].map((key) => nameVersion(rollout, key));
  const share = weight?.actual ?? null;
  return `${stable} is stable, ${next} ${share === null ? "is under way" : `gets ${share} %`}`;
}
