import { redirect } from "next/navigation";
import { releaseHref } from "#lib/client/rollout-path.ts";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

type PageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** The former address of a comparison, which is now a mode of the release's page. */
export default async function Page({ searchParams }: PageProps) {
  await requirePageActor();
  const { one, other } = await searchParams;
  if (typeof one !== "string") redirect("/releases");
  redirect(releaseHref(one, typeof other === "string" ? other : undefined));
}
