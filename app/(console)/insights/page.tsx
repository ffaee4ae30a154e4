import type { Metadata } from "next";
import { InsightsPage } from "#components/insights/insights-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Insights" };

export default async function Page() {
  await requirePageActor();
  return <InsightsPage />;
}
