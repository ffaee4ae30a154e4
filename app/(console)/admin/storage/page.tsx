import type { Metadata } from "next";
import { StoragePage } from "#components/admin/lazy-pages.tsx";
import { requireAdminPage } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Storage" };

export default async function Page() {
  await requireAdminPage();
  return <StoragePage />;
}
