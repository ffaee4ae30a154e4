import type { Metadata } from "next";
import { FindingPage } from "#components/findings/finding-page.tsx";
import { decodeSegment } from "#lib/client/decode-segment.ts";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Finding" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  await requirePageActor();
  return <FindingPage id={decodeSegment((await params).id)} />;
}
