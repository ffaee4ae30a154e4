import { createHash, randomBytes } from "node:crypto";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

const shape = /^ght_[A-Za-z0-9_-]{43}$/;

/** Creates `ght_` and 32 random bytes in base64url. Shown once; only its hash is stored. */
export function createTokenSecret(): string {
  return `ght_${randomBytes(32).toString("base64url")}`;
}

export function isTokenShaped(text: string): boolean {
  return shape.test(text);
}

/**
 * Hashes a token. SHA-256 suffices because the secret has 256 random bits: a slow hash would not help against guessing.
 */
export function hashToken(token: string): string {
  return createHash("sha256").update(token, "ascii").digest("hex");
}

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
