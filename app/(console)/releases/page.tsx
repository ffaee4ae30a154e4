import type { Metadata } from "next";
import { ReleasesPage } from "#components/releases/releases-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Releases" };

export default async function Page() {
  await requirePageActor();
  return <ReleasesPage />;
}
