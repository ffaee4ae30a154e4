import type { Metadata } from "next";
import { InboxPage } from "#components/inbox/inbox-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Inbox" };

export default async function Page() {
  await requirePageActor();
  return <InboxPage />;
}
