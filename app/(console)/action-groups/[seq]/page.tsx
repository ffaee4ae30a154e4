import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ActionGroupPage } from "#components/sets/action-group-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Action on many rollouts" };

type PageProps = { params: Promise<{ seq: string }> };

export default async function Page({ params }: PageProps) {
  await requirePageActor();
  const { seq } = await params;
  if (!/^[1-9]\d{0,14}$/.test(seq)) notFound();
  return <ActionGroupPage seq={Number(seq)} />;
}
