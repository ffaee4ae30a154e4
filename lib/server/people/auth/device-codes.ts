import { createHmac, randomBytes, randomInt } from "node:crypto";

/** Consonants that are not easily confused and spell no words (RFC 8628, section 6.1). */
const alphabet = "BCDFGHJKLMNPQRSTVWXZ";
const letters = 8;

/** Creates the code that a terminal polls with: 256 random bits. Only its hash is stored. */
export function createDeviceCode(): string {
  return `ghd_${randomBytes(32).toString("base64url")}`;
}

/**
 * Creates the code that a person types, such as `WDJB-MJHT`: 34 random bits. That suffices for ten minutes behind a
 * sign-in and a limit of guesses.
 */
export function createUserCode(): string {
  const code = Array.from({ length: letters }, () => alphabet[randomInt(alphabet.length)]).join("");
  return `${code.slice(0, letters / 2)}-${code.slice(letters / 2)}`;
}

/** Reads a code as typed, whatever its case and hyphens. Undefined if it cannot be one. */
export function parseUserCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, "");
  return code.length === letters && [...code].every((letter) => alphabet.includes(letter)) ? code : undefined;
}

/**
 * Hashes a parsed code. A plain hash of so few bits could be reversed by a reader of the database. The code is looked
 * up by the hash, so the duration of a comparison reveals nothing about a code.
 */
export function hashUserCode(code: string, secret: string): string {
  return createHmac("sha256", secret).update(`device user code ${code}`).digest("hex");
}
