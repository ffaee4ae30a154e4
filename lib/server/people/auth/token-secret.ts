import { createHash, randomBytes } from "node:crypto";

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
