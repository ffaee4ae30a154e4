import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignInPanel } from "#components/sign-in/sign-in-panel.tsx";
import { parseCallbackPath } from "#lib/client/session.ts";
import { findPageActor } from "#lib/server/edge/http/require-page-actor.ts";
import { listSignInOptions } from "#lib/server/people/auth/list-sign-in-options.ts";

export const metadata: Metadata = { title: "Sign in" };

type SignInPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function Page({ searchParams }: SignInPageProps) {
  const { callbackUrl, error } = await searchParams;
  const callback = typeof callbackUrl === "string" ? callbackUrl : undefined;
  if ((await findPageActor()) !== undefined) redirect(parseCallbackPath(callback));
  const { local, oidc } = listSignInOptions();
  return (
    <SignInPanel
      local={local}
      oidc={oidc}
      callbackUrl={callback}
      error={typeof error === "string" ? error : undefined}
    />
  );
}
