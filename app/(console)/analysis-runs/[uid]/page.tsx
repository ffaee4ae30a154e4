import type { Metadata } from "next";
import { RunPage } from "#components/runs/run-page.tsx";
import { decodeSegment } from "#lib/client/decode-segment.ts";
import { requirePageActor } from "#lib/server/auth/require-page-actor.ts";

export const metadata: Metadata = { title: "Analysis run" };

export default async function Page({ params }: { params: Promise<{ uid: string }> }) {
  await requirePageActor();
  return <RunPage uid={decodeSegment((await params).uid)} />;
}
