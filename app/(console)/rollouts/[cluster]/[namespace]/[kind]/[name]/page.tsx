import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { RolloutPage } from "#components/rollouts/rollout-page.tsx";
import { decodeSegment } from "#lib/client/decode-segment.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

type PageProps = { params: Promise<{ cluster: string; namespace: string; kind: string; name: string }> };

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const { namespace, name } = await params;
  return { title: `${decodeSegment(namespace)}/${decodeSegment(name)}` };
}

export default async function Page({ params }: PageProps) {
  await requirePageActor();
  const { cluster, namespace, kind, name } = await params;
  if (!isDeliveryKind(kind)) notFound();
  const rollout = {
    cluster: decodeSegment(cluster),
    namespace: decodeSegment(namespace),
    kind,
    name: decodeSegment(name),
  };
  return <RolloutPage rollout={rollout} />;
}
