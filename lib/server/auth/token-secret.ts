import { createHash, randomBytes } from "node:crypto";

const shape = /^ght_[A-Za-z0-9_-]{43}$/;

/** `ght_` and 32 random bytes in base64url. Shown once; only its hash is stored. */
export function createTokenSecret(): string {
  return `ght_${randomBytes(32).toString("base64url")}`;
}

export function isTokenShaped(text: string): boolean {
  return shape.test(text);
}

/** SHA-256 suffices where the secret itself has 256 random bits: there is nothing to guess slowly. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token, "ascii").digest("hex");
}
