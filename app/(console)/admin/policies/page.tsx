import type { Metadata } from "next";
import { PoliciesPage } from "#components/admin/lazy-pages.tsx";
import { requireAdminPage } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Policies" };

export default async function Page() {
  await requireAdminPage();
  return <PoliciesPage />;
}
