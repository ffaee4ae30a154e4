import type { Metadata } from "next";
import { SettingsPage } from "#components/settings/settings-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Settings" };

export default async function Page() {
  await requirePageActor();
  return <SettingsPage />;
}
