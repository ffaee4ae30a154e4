import type { Metadata } from "next";
import { ExperimentsPage } from "#components/experiments/experiments-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Experiments" };

export default async function Page() {
  await requirePageActor();
  return <ExperimentsPage />;
}
