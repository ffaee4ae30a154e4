import type { Metadata } from "next";
import { RunsPage } from "#components/runs/runs-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Analysis runs" };

export default async function Page() {
  await requirePageActor();
  return <RunsPage />;
}
