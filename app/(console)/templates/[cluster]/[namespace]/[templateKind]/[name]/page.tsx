import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { TemplatePage } from "#components/templates/template-page.tsx";
import { decodeSegment } from "#lib/client/decode-segment.ts";
import { TemplateKind } from "#lib/contract/template.ts";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

type PageProps = { params: Promise<{ cluster: string; namespace: string; templateKind: string; name: string }> };

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: decodeSegment((await params).name) };
}

export default async function Page({ params }: PageProps) {
  await requirePageActor();
  const { cluster, namespace, templateKind, name } = await params;
  if (!TemplateKind.safeParse(templateKind).success) notFound();
  return <TemplatePage id={[cluster, namespace, templateKind, name].map(decodeSegment).join("/")} />;
}
