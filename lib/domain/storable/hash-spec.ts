import canonicalize from "canonicalize";
import { sha256Hex } from "#lib/util/sha256.ts";

/** Tells specs apart by content, whatever the order of their fields. Takes JSON values; 64 lowercase hex. */
export function hashSpec(spec: unknown): string {
  return sha256Hex(canonicalize(spec) ?? "");
}
