import type { Metadata } from "next";
import { LabPage } from "#components/templates/lab-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Template lab" };

export default async function Page() {
  await requirePageActor();
  return <LabPage />;
}
