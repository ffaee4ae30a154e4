import type { Metadata } from "next";
import { FindingsPage } from "#components/findings/findings-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Findings" };

export default async function Page() {
  await requirePageActor();
  return <FindingsPage />;
}
