import type { Metadata } from "next";
import { LinksPage } from "#components/admin/lazy-pages.tsx";
import { requireAdminPage } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Links" };

export default async function Page() {
  await requireAdminPage();
  return <LinksPage />;
}
