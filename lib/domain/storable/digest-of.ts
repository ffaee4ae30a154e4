import canonicalize from "canonicalize";
import { sha256Hex } from "#lib/util/sha256.ts";

/** Returns the SHA-256 of the canonical text of a JSON value. */
export function digestOf(value: unknown): string {
  return sha256Hex(canonicalTextOf(value) ?? "");
}

/**
 * Returns the canonical text. Foreign JSON may contain lone surrogates, which have none: they are written as `\\uD800`.
 */
function canonicalTextOf(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return canonicalize(withEscapes(value));
  }
}

function withEscapes(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : JSON.stringify(value);
  if (Array.isArray(value)) return value.map(withEscapes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [withEscapes(key), withEscapes(member)]));
}

/** Hashes a spec by content, independent of field order. Takes JSON values; returns 64 lowercase hex digits. */
export function hashSpec(spec: unknown): string {
  return sha256Hex(canonicalize(spec) ?? "");
}
