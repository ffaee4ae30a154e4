import { notFound } from "next/navigation";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

/** Answers every address without a page, so that its visitor keeps the shell. */
export default async function Page(): Promise<never> {
  await requirePageActor();
  notFound();
}
