import type { Metadata } from "next";
import { ApiReference } from "#components/docs/api-reference.tsx";
import { listOperations } from "#lib/contract/list-operations.ts";

export const metadata: Metadata = { title: "API" };

type Groups = ReturnType<typeof listOperations>;
/** They take half a second, and anybody may ask for them. */
let made: Groups | undefined;

/** Needs no sign-in, like the OpenAPI document that it shows. */
export default function Page() {
  made ??= listOperations();
  return <ApiReference groups={made} />;
}
