import type { Role } from "#lib/contract/common.ts";
import { getWebRuntime } from "#lib/server/process/web-runtime.ts";

export type SignInOptions = {
  /** The demo's accounts with their passwords; undefined outside the demo. */
  demo: { role: Role; username: string; password: string }[] | undefined;
  oidc: { label: string } | undefined;
};

/** Lists the ways to sign in for the sign-in page. Throws `unavailable` while the process starts. */
export function listSignInOptions(): SignInOptions {
  const runtime = getWebRuntime();
  const { config } = runtime.config();
  const accounts = runtime.demoAccounts;
  return {
    demo:
      config.demo === undefined || accounts === undefined
        ? undefined
        : (["viewer", "operator", "admin"] as const).map((role) => ({ role, ...accounts[role] })),
    oidc: config.auth.oidc === undefined ? undefined : { label: config.auth.oidc.label },
  };
}
