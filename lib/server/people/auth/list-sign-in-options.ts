import type { LocalAccount, LocalAccounts } from "#lib/server/process/runtime-types.ts";
import { getWebRuntime } from "#lib/server/process/web-runtime.ts";

export type SignInOptions = {
  /** With passwords, so that a click signs in. */
  local:
    | (Pick<LocalAccounts, "method" | "label" | "note"> & {
        accounts: Pick<LocalAccount, "role" | "username" | "password">[];
      })
    | undefined;
  oidc: { label: string } | undefined;
};

/** Lists the ways to sign in for the sign-in page. Throws `unavailable` while the process starts. */
export function listSignInOptions(): SignInOptions {
  const runtime = getWebRuntime();
  const { config } = runtime.config();
  return {
    local: listLocalAccounts(runtime.localAccounts),
    oidc: config.auth.oidc === undefined ? undefined : { label: config.auth.oidc.label },
  };
}

function listLocalAccounts(local: LocalAccounts | undefined): SignInOptions["local"] {
  if (local === undefined) return undefined;
  const { method, label, note, list } = local;
  return { method, label, note, accounts: list.map(({ role, username, password }) => ({ role, username, password })) };
}
