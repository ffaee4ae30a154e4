import { redirect } from "next/navigation";
import { releaseHref } from "#lib/client/rollout-path.ts";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

type PageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Redirects the old address of a comparison to the page of the release. */
export default async function Page({ searchParams }: PageProps) {
  await requirePageActor();
  const { one, other } = await searchParams;
  if (typeof one !== "string") redirect("/releases");
  redirect(releaseHref(one, typeof other === "string" ? other : undefined));
}
