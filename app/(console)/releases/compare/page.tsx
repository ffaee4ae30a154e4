import type { Metadata } from "next";
import { ComparePage } from "#components/releases/compare-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Compare releases" };

export default async function Page() {
  await requirePageActor();
  return <ComparePage />;
}
