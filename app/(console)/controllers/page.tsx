import type { Metadata } from "next";
import { ControllersPage } from "#components/controllers/controllers-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Controllers" };

export default async function Page() {
  await requirePageActor();
  return <ControllersPage />;
}
