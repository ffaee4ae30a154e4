import type { Metadata } from "next";
import { ExperimentPage } from "#components/experiments/experiment-page.tsx";
import { decodeSegment } from "#lib/client/decode-segment.ts";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Experiment" };

export default async function Page({ params }: { params: Promise<{ uid: string }> }) {
  await requirePageActor();
  return <ExperimentPage uid={decodeSegment((await params).uid)} />;
}
