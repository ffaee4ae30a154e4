import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DecisionList, DocPage } from "#components/docs/doc-page.tsx";
import { listDecisions, listDocGroups, readDoc, titleOf } from "#lib/server/platform/docs/read-docs.ts";
import { docFileAt } from "#lib/util/doc-address.ts";

type DocsPageProps = { params: Promise<{ page?: string[] }> };

export async function generateMetadata({ params }: DocsPageProps): Promise<Metadata> {
  const { page = [] } = await params;
  if (isDecisionList(page)) return { title: "Decisions" };
  const file = docFileAt(page);
  return { title: titleOf((file === undefined ? undefined : await readDoc(file)) ?? "") ?? "Not found" };
}

/** Needs no sign-in, like the repository that these files are from: see docs/adr/0019. */
export default async function Page({ params }: DocsPageProps) {
  const { page = [] } = await params;
  const groups = await listDocGroups();
  if (isDecisionList(page)) return <DecisionList decisions={await listDecisions()} groups={groups} />;
  const file = docFileAt(page);
  const text = file === undefined ? undefined : await readDoc(file);
  if (file === undefined || text === undefined) notFound();
  return <DocPage file={file} text={text} groups={groups} />;
}

const isDecisionList = (page: string[]) => page.length === 1 && page[0] === "adr";
