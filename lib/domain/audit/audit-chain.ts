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
 * Verifies a whole chain from its first entry and names the first broken link. What was cut off at the end cannot be
 * seen from the chain itself: give a `checkpoint` (seq and hash noted elsewhere) to prove that the chain still has it.
 */
export async function verifyChain(
  links: Iterable<ChainLink> | AsyncIterable<ChainLink>,
  { checkpoint }: { checkpoint?: ChainHead } = {},
): Promise<ChainVerdict> {
  let head = emptyChain;
  for await (const link of links) {
    const reason = findBreak({ head, link }) ?? findCheckpointBreak({ checkpoint, link });
    if (reason !== undefined) return { ok: false, entries: head.seq, brokenAt: head.seq + 1, reason };
    head = link;
  }
  return concludeChain({ head, checkpoint });
}

/** The verdict on a chain that holds up to `head`: whole, unless a checkpoint knows of more. */
export function concludeChain({ head, checkpoint }: { head: ChainHead; checkpoint?: ChainHead }): ChainVerdict {
  if (checkpoint === undefined || checkpoint.seq <= head.seq) return { ok: true, entries: head.seq };
  return {
    ok: false,
    entries: head.seq,
    brokenAt: head.seq + 1,
    reason: `the chain ends here, a checkpoint knows entry ${checkpoint.seq}`,
  };
}

/** Why a link is not the one that the checkpoint noted; undefined where it is, or is another entry's. */
export function findCheckpointBreak({
  checkpoint,
  link,
}: {
  checkpoint?: ChainHead;
  link: ChainLink;
}): string | undefined {
  if (checkpoint === undefined || checkpoint.seq !== link.seq || checkpoint.hash === link.hash) return undefined;
  return "hash is not the one that the checkpoint noted";
}
