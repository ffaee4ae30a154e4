import type { Runtime } from "#lib/server/process/runtime-types.ts";

/** Returns the claims of a token, which keeps only its owner's name and groups, under the claim names of the config. */
export function tokenClaims({
  runtime,
  subject,
  username,
  groups,
}: {
  runtime: Pick<Runtime, "config">;
  subject: string;
  username: string;
  groups: readonly string[];
}): Record<string, unknown> {
  const oidc = runtime.config().config.auth.oidc;
  return {
    sub: subject,
    [oidc?.usernameClaim ?? "preferred_username"]: username,
    [oidc?.groupsClaim ?? "groups"]: groups,
  };
}
