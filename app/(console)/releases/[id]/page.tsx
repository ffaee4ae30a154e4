import type { Metadata } from "next";
import { ReleasePage } from "#components/releases/release-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Release" };

type PageProps = { params: Promise<{ id: string }> };

export default async function Page({ params }: PageProps) {
  await requirePageActor();
  const { id } = await params;
  return <ReleasePage id={id} />;
}
