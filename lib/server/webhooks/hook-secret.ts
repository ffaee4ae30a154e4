import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";

/** The credential that a caller claims to have: its id, and the hash of the secret that was sent. */
export type ClaimedCredential = { id: string; secretHash: string };

/** Creates `ghh_` and 32 random bytes in base64url. Shown once; only its hash is stored. */
export function createHookSecret(): string {
  return `ghh_${randomBytes(32).toString("base64url")}`;
}

/** Hashes a secret. SHA-256 suffices because the secret has 256 random bits. */
export function hashHookSecret(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex");
}

/** Compares two hashes in constant time. */
export function isSameHash(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one, "utf8"), Buffer.from(other, "utf8")];
  return left.length === right.length && timingSafeEqual(left, right);
}

const Id = z.uuid();

/**
 * Parses the Basic authentication that a client makes of `https://ID:SECRET@host`. Undefined if it is missing, or if
 * the user is no id of a credential.
 */
export function parseCredential(authorization: string | undefined): ClaimedCredential | undefined {
  const encoded = /^basic ([A-Za-z0-9+/=]{1,400})$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (secret === undefined || !Id.safeParse(id).success) return undefined;
  return { id: (id as string).toLowerCase(), secretHash: hashHookSecret(secret) };
}

/** Parses `Bearer ID.SECRET`, the form of a kubeconfig's token, or Basic authentication. */
export function parseTokenCredential(authorization: string | undefined): ClaimedCredential | undefined {
  const [, id, secret] = /^bearer ([0-9a-f-]{36})\.([\w-]{1,200})$/i.exec(authorization ?? "") ?? [];
  if (id === undefined || secret === undefined || !Id.safeParse(id).success) return parseCredential(authorization);
  return { id: id.toLowerCase(), secretHash: hashHookSecret(secret) };
}
