import type { Metadata } from "next";
import { AuditPage } from "#components/audit/audit-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Audit" };

export default async function Page() {
  await requirePageActor();
  return <AuditPage />;
}
