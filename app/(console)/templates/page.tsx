import type { Metadata } from "next";
import { TemplatesPage } from "#components/templates/templates-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Templates" };

export default async function Page() {
  await requirePageActor();
  return <TemplatesPage />;
}
