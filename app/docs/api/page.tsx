import type { Metadata } from "next";
import { ApiReference } from "#components/docs/api-reference.tsx";
import { listOperations } from "#lib/contract/list-operations.ts";

export const metadata: Metadata = { title: "API" };

/** Needs no sign-in, like the OpenAPI document that it shows. */
export default function Page() {
  return <ApiReference groups={listOperations()} />;
}
