import type { Metadata } from "next";
import { VersionSetPage } from "#components/sets/version-set-page.tsx";
import { decodeSegment } from "#lib/client/decode-segment.ts";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Version" };

type PageProps = { params: Promise<{ version: string }> };

export default async function Page({ params }: PageProps) {
  await requirePageActor();
  const { version } = await params;
  return <VersionSetPage version={decodeSegment(version)} />;
}
