import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ApiGroup, ApiIndex } from "#components/docs/api-reference.tsx";
import {
  describeOperations,
  listOperations,
  type OperationGroup,
  type OperationText,
} from "#lib/contract/list-operations.ts";
import { readOpenApiDocument } from "#lib/contract/openapi.ts";

type ApiPageProps = { params: Promise<{ group?: string[] }> };

/** Made once per process: these pages need no sign-in, and must be cheap. */
let groups: OperationGroup[] | undefined;
const described = new Map<string, OperationText[]>();

export async function generateMetadata({ params }: ApiPageProps): Promise<Metadata> {
  const { group = [] } = await params;
  return { title: group.length === 0 ? "API" : `API: ${group.join("/").slice(0, 40)}` };
}

/** Needs no sign-in, like the OpenAPI document that it shows. */
export default async function Page({ params }: ApiPageProps) {
  const { group = [] } = await params;
  const document = readOpenApiDocument();
  groups ??= listOperations(document);
  if (group.length === 0) return <ApiIndex groups={groups} />;
  const [tag = ""] = group;
  if (group.length > 1 || !groups.some((each) => each.tag === tag)) notFound();
  const operations = described.get(tag) ?? describeOperations(document, tag);
  described.set(tag, operations);
  return <ApiGroup groups={groups} tag={tag} operations={operations} />;
}
