import { sha256Hex } from "#lib/util/sha256.ts";
import { parseEntryText } from "./audit-entry.ts";

/** previousHash of the first entry. */
export const genesisHash = "0".repeat(64);

/** One link of the chain. A stub has no `entry`: its reader may not see it, yet the chain stays verifiable. */
export type ChainLink = { seq: number; previousHash: string; hash: string; entryHash: string; entry?: string };

export type ChainHead = { seq: number; hash: string };

export type ChainVerdict =
  | { ok: true; entries: number }
  | { ok: false; entries: number; brokenAt: number; reason: string };

export const emptyChain: ChainHead = { seq: 0, hash: genesisHash };

/** Hashes one entry text onto the chain: hash = SHA-256 of previousHash followed by entryHash, both as hex. */
export function computeLink({ head, entry }: { head: ChainHead; entry: string }): ChainLink & { entry: string } {
  const entryHash = sha256Hex(entry);
  return { seq: head.seq + 1, previousHash: head.hash, hash: sha256Hex(head.hash + entryHash), entryHash, entry };
}

/**
 * Why `link` cannot stand behind `head`, or undefined where it can. Order of the checks: place, previous hash, the
 * entry's own hash, the place written inside the entry, the link's hash.
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
 * Verifies a whole chain from its first entry and names the first broken link. What was cut off or rewritten at the end
 * cannot be seen from the chain itself: give `checkpoints` (seq and hash noted elsewhere) to prove that it still has them.
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

/** Hashes that were noted elsewhere, by seq; two notes of one entry that differ cannot both hold. */
export type NotedHashes = ReadonlyMap<number, readonly string[]>;

export function noteCheckpoints(checkpoints: readonly ChainHead[]): NotedHashes {
  return new Map(
    [...Map.groupBy(checkpoints, ({ seq }) => seq)].map(([seq, notes]) => [seq, notes.map(({ hash }) => hash)]),
  );
}

/** The verdict on a chain that holds up to `head`: whole, unless a checkpoint knows of more. */
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

/** Why a link is not the one that a checkpoint noted; undefined where it is, or none noted it. */
export function findCheckpointBreak({ noted, link }: { noted: NotedHashes; link: ChainLink }): string | undefined {
  const hashes = noted.get(link.seq) ?? [];
  return hashes.every((hash) => hash === link.hash) ? undefined : "hash is not the one that a checkpoint noted";
}
