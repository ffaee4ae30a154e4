import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AuditEntryPage } from "#components/audit/audit-entry-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

type PageProps = { params: Promise<{ seq: string }> };

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: `Audit entry ${(await params).seq}` };
}

export default async function Page({ params }: PageProps) {
  await requirePageActor();
  const { seq } = await params;
  if (!/^[1-9]\d{0,14}$/.test(seq)) notFound();
  return <AuditEntryPage seq={Number(seq)} />;
}
