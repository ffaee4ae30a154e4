import type { Metadata } from "next";
import { RolloutsPage } from "#components/rollouts/rollouts-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Rollouts" };

export default async function Page() {
  await requirePageActor();
  return <RolloutsPage />;
}
