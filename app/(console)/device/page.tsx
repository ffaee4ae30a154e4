import type { Metadata } from "next";
import { DevicePage } from "#components/settings/device-page.tsx";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

export const metadata: Metadata = { title: "Sign in from a terminal" };

type PageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function Page({ searchParams }: PageProps) {
  await requirePageActor();
  const { user_code: code } = await searchParams;
  return <DevicePage code={typeof code === "string" ? code.slice(0, 40) : ""} />;
}
