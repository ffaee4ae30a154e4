import canonicalize from "canonicalize";
import { sha256Hex } from "#lib/util/sha256.ts";

/** Hashes a spec by content, independent of field order. Takes JSON values; returns 64 lowercase hex digits. */
export function hashSpec(spec: unknown): string {
  return sha256Hex(canonicalize(spec) ?? "");
}
