import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";
import { getWebRuntime } from "#lib/server/process/web-runtime.ts";

export const metadata: Metadata = { title: "Faults" };

/** Exists only in a demo started with --faults, for its admin. */
export default async function Page() {
  const actor = await requirePageActor();
  if (actor.role !== "admin" || getWebRuntime().config().config.demo?.faultTokenFile === undefined) notFound();
  const { FaultsPage } = await import("#demo/page/faults-page.tsx");
  return <FaultsPage />;
}
