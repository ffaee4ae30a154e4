import type { Metadata } from "next";
import { NotificationsPage } from "#components/notifications/notifications-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Notifications" };

export default async function Page() {
  await requirePageActor();
  return <NotificationsPage />;
}
