import canonicalize from "canonicalize";
import { sha256Hex } from "#lib/util/sha256.ts";

/** The state that a person saw, frozen: stored once per content, referenced in the chain by its digest. */
export type Evidence = { digest: string; content: string };

/** Makes the canonical JSON text of any JSON value and its SHA-256. Replaces lone surrogates, which have none. */
export function makeEvidence(value: unknown): Evidence {
  const content = canonicalize(JSON.parse(JSON.stringify(value), replaceSurrogates)) ?? "null";
  return { digest: sha256Hex(content), content };
}

function replaceSurrogates(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
