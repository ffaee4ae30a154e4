import { describe, expect, it } from "vitest";
import { sha256Hex } from "#lib/util/sha256.ts";
import { type ChainLink, computeLink, emptyChain, verifyChain } from "./audit-chain.ts";
import { formatEntryText } from "./audit-entry.ts";

function chainOf(length: number): ChainLink[] {
  const links: ChainLink[] = [];
  let head = emptyChain;
  for (let seq = 1; seq <= length; seq += 1) {
    const entry = formatEntryText({
      seq,
      time: "2026-11-20T10:00:00.000000Z",
      actor: { type: "system", name: "Gatehouse" },
      source: "system",
      code: "session.signin",
      requestId: `r-${seq}`,
    });
    const link = computeLink({ head, entry });
    links.push(link);
    head = link;
  }
  return links;
}

describe("the chain", () => {
  it("is what docs say: hash = SHA-256 of previousHash and entryHash as ASCII, from 64 zeros", () => {
    const [first] = chainOf(1);
    const entryHash = sha256Hex(first?.entry ?? "");
    expect(first).toMatchObject({ seq: 1, previousHash: "0".repeat(64), entryHash });
    expect(first?.hash).toBe(sha256Hex(`${"0".repeat(64)}${entryHash}`));
  });

  it("verifies empty and grown, with any entries left out as stubs", async () => {
    expect(await verifyChain([])).toEqual({ ok: true, entries: 0 });
    const stubs = chainOf(4).map(({ entry: _entry, ...stub }) => stub);
    expect(await verifyChain(stubs)).toEqual({ ok: true, entries: 4 });
  });

  it("names an entry whose own place is another one", async () => {
    const [first, second] = chainOf(2);
    const moved = computeLink({ head: emptyChain, entry: second?.entry ?? "" });
    expect(await verifyChain([moved])).toMatchObject({ brokenAt: 1, reason: "the entry's own seq is another one" });
    expect(await verifyChain([first, first] as ChainLink[])).toMatchObject({ brokenAt: 2 });
  });
});
