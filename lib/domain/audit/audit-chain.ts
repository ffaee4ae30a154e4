import { z } from "zod";
import { sha256Hex } from "#lib/util/sha256.ts";
import { parseEntryText } from "./audit-entry.ts";

/** previousHash of the first entry. */
export const genesisHash = "0".repeat(64);

/** One link of the chain. A stub has no `entry`: its reader may not see it, but the chain stays verifiable. */
export type ChainLink = { seq: number; previousHash: string; hash: string; entryHash: string; entry?: string };

export type ChainHead = { seq: number; hash: string };

export type ChainVerdict =
  | { ok: true; entries: number }
  | { ok: false; entries: number; brokenAt: number; reason: string };

export const emptyChain: ChainHead = { seq: 0, hash: genesisHash };

/**
 * Appends the hash of one entry text to the chain: hash = SHA-256 of previousHash followed by entryHash, both as hex.
 */
export function computeLink({ head, entry }: { head: ChainHead; entry: string }): ChainLink & { entry: string } {
  const entryHash = sha256Hex(entry);
  return { seq: head.seq + 1, previousHash: head.hash, hash: sha256Hex(head.hash + entryHash), entryHash, entry };
}

/**
 * Returns why `link` cannot follow `head`, or undefined if it can. Order of the checks: position, previous hash, the
 * entry's own hash, the position recorded inside the entry, the link's hash.
 */
export function findBreak({ head, link }: { head: ChainHead; link: ChainLink }): string | undefined {
  if (link.seq !== head.seq + 1) return `expected entry ${head.seq + 1}, found ${link.seq}`;
  if (link.previousHash !== head.hash) return "previousHash is not the hash of the entry before";
  if (link.entry !== undefined) {
    if (sha256Hex(link.entry) !== link.entryHash) return "entryHash does not follow from the entry";
    if (parseEntryText(link.entry)?.seq !== link.seq) return "the entry's own seq is another one";
  }
  if (sha256Hex(link.previousHash + link.entryHash) !== link.hash)
    return "hash does not follow from previousHash and entryHash";
  return undefined;
}

/**
 * Verifies a whole chain from its first entry and names the first broken link. The chain itself cannot reveal entries
 * cut off or rewritten at the end: pass `checkpoints` (seq and hash stored elsewhere) to prove that it still contains
 * them.
 */
export async function verifyChain(
  links: Iterable<ChainLink> | AsyncIterable<ChainLink>,
  { checkpoints = [] }: { checkpoints?: readonly ChainHead[] } = {},
): Promise<ChainVerdict> {
  const noted = noteCheckpoints(checkpoints);
  let head = emptyChain;
  for await (const link of links) {
    const reason = findBreak({ head, link }) ?? findCheckpointBreak({ noted, link });
    if (reason !== undefined) return { ok: false, entries: head.seq, brokenAt: head.seq + 1, reason };
    head = link;
  }
  return concludeChain({ head, noted });
}

/** Hashes stored elsewhere, by seq; two different hashes for one entry cannot both be right. */
export type NotedHashes = ReadonlyMap<number, readonly string[]>;

export function noteCheckpoints(checkpoints: readonly ChainHead[]): NotedHashes {
  return new Map(
    [...Map.groupBy(checkpoints, ({ seq }) => seq)].map(([seq, notes]) => [seq, notes.map(({ hash }) => hash)]),
  );
}

/** Returns the verdict on a chain that verifies up to `head`: whole, unless a checkpoint knows of more entries. */
export function concludeChain({ head, noted }: { head: ChainHead; noted: NotedHashes }): ChainVerdict {
  const last = [...noted.keys()].reduce((most, seq) => Math.max(most, seq), 0);
  if (last <= head.seq) return { ok: true, entries: head.seq };
  return {
    ok: false,
    entries: head.seq,
    brokenAt: head.seq + 1,
    reason: `the chain ends here, a checkpoint knows entry ${last}`,
  };
}

/** Returns why a link differs from the one in a checkpoint; undefined if it matches or no checkpoint has it. */
export function findCheckpointBreak({ noted, link }: { noted: NotedHashes; link: ChainLink }): string | undefined {
  const hashes = noted.get(link.seq) ?? [];
  return hashes.every((hash) => hash === link.hash) ? undefined : "hash is not the one that a checkpoint noted";
}

/** The head of the chain at a time. Keep it out of reach of anyone who controls the database. */
export const Checkpoint = z.object({
  seq: z.number().int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  time: z.string(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** Formats one line of a checkpoint file. */
export function formatCheckpoint({ seq, hash, time }: Checkpoint): string {
  return JSON.stringify({ seq, hash, time });
}

/** Parses one line; returns undefined if it is not a checkpoint. */
export function parseCheckpoint(line: string): Checkpoint | undefined {
  try {
    return Checkpoint.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
