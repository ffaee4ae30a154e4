import type { Metadata } from "next";
import { ControllerPage } from "#components/controllers/controller-page.tsx";
import { decodeSegment } from "#lib/client/decode-segment.ts";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

type PageProps = { params: Promise<{ cluster: string; component: string }> };

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: decodeSegment((await params).component) };
}

export default async function Page({ params }: PageProps) {
  await requirePageActor();
  const { cluster, component } = await params;
  return <ControllerPage cluster={decodeSegment(cluster)} component={decodeSegment(component)} />;
}
