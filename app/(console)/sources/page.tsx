import type { Metadata } from "next";
import { SourcesPage } from "#components/sources/sources-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Sources" };

export default async function Page() {
  await requirePageActor();
  return <SourcesPage />;
}
