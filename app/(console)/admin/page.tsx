import type { Metadata } from "next";
import { AccessPage } from "#components/admin/lazy-pages.tsx";
import { requireAdminPage } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Admin" };

export default async function Page() {
  await requireAdminPage();
  return <AccessPage />;
}
