import type { Pool, PoolClient } from "pg";
import { describe, expect, it } from "vitest";
import type { Detour, Replica } from "./replica.ts";
import { type Answerer, openReplicaReads } from "./replica-reads.ts";

type World = {
  reads: ReturnType<typeof openReplicaReads>;
  asked: string[];
  answers: Answerer[];
  /** How each connection was given back: true if it was destroyed. */
  released: boolean[];
  suspected: unknown[];
};

/** A primary and a replica that record their queries. */
function createWorld({
  leases = true,
  state = "in-use",
  fail,
  isPrimaryAStandby = false,
}: {
  leases?: Detour | true;
  state?: "in-use" | "behind";
  fail?: (text: string) => Error | undefined;
  isPrimaryAStandby?: boolean;
} = {}): World {
  const asked: string[] = [];
  const answers: Answerer[] = [];
  const released: boolean[] = [];
  const suspected: unknown[] = [];
  const answer = (who: string) => async (statement: string | { text: string }) => {
    const text = typeof statement === "string" ? statement : statement.text;
    if (text.includes("pg_current_wal_insert_lsn")) {
      if (isPrimaryAStandby) throw Object.assign(new Error("recovery is in progress"), { code: "55000" });
      return { rows: [{ lsn: "0/10", timeline: "00000001" }] };
    }
    asked.push(`${who} ${text}`);
    const error = who === "replica" ? fail?.(text) : undefined;
    if (error !== undefined) throw error;
    return { rows: [who] };
  };
  const client = {
    query: answer("replica"),
    release: (isBroken?: boolean) => void released.push(isBroken === true),
  } as unknown as PoolClient;
  const replica: Replica = {
    state: () => ({ ...(state === "in-use" ? { state, lagMs: 0 } : { state, lagMs: 9000 }), since: new Date() }),
    lease: async ({ wanted }) => {
      expect(wanted).toEqual({ lsn: 16n, timeline: 1 });
      return leases === true ? client : leases;
    },
    suspect: (error) => void suspected.push(error),
    maxLagMs: 5000,
    close: async () => {},
  };
  const primary = { query: answer("primary") } as unknown as Pool;
  const reads = openReplicaReads({ replica, primary, waitMs: 50, onAnswer: (by) => void answers.push(by) });
  return { reads, asked, answers, released, suspected };
}

const withCode = (code: string) => Object.assign(new Error("refused"), { code });

describe("openReplicaReads", () => {
  it("reads all of a request from one connection, and gives it back", async () => {
    const { reads, asked, answers, released } = createWorld();
    await Promise.all([reads.pool.query("a"), reads.pool.query("b")]);
    await reads.pool.query("c");
    expect(asked).toEqual(["replica a", "replica b", "replica c"]);
    reads.end();
    await Promise.resolve();
    expect(released).toEqual([false]);
    expect(answers).toEqual(["replica"]);
  });

  it("takes a connection for each query of a stream, once the request has ended", async () => {
    const { reads, asked, released } = createWorld();
    await reads.pool.query("a");
    reads.end();
    await reads.pool.query("b");
    await reads.pool.query("c");
    expect(asked).toEqual(["replica a", "replica b", "replica c"]);
    expect(released).toEqual([false, false, false]);
  });

  it.each(["down", "not-reached", "other-timeline"] as const)("asks the primary if the replica is %s", async (why) => {
    const { reads, asked, answers } = createWorld({ leases: why });
    await Promise.all([reads.pool.query("a"), reads.pool.query("b")]);
    expect(asked).toEqual(["primary a", "primary b"]);
    expect(answers).toEqual([why]);
    reads.end();
  });

  it("does not even ask the primary for its place if the replica is behind", async () => {
    const { reads, asked, answers } = createWorld({ state: "behind", isPrimaryAStandby: true });
    await reads.pool.query("a");
    expect([asked, answers]).toEqual([["primary a"], ["behind"]]);
  });

  it("asks the primary if that does not say how far it has written", async () => {
    const { reads, asked, answers } = createWorld({ isPrimaryAStandby: true });
    await reads.pool.query("a");
    expect([asked, answers]).toEqual([["primary a"], ["no-place"]]);
  });

  it.each(["40001", "40P01", "57P01", "42P01", "42703"])("repeats at the primary what fails with %s", async (code) => {
    const { reads, asked, answers, released, suspected } = createWorld({
      fail: (text) => (text === "b" ? withCode(code) : undefined),
    });
    await reads.pool.query("a");
    expect((await reads.pool.query("b")).rows).toEqual(["primary"]);
    await reads.pool.query("c");
    expect(asked).toEqual(["replica a", "replica b", "primary b", "primary c"]);
    expect(answers).toEqual(["replica", "failed"]);
    reads.end();
    await Promise.resolve();
    expect(released).toEqual([true]);
    expect(suspected).toHaveLength(code === "57P01" ? 1 : 0);
  });

  it.each(["57014", "22P02", "25006"])("throws what the primary would throw as well: %s", async (code) => {
    const { reads, asked } = createWorld({ fail: () => withCode(code) });
    await expect(reads.pool.query("a")).rejects.toMatchObject({ code });
    expect(asked).toEqual(["replica a"]);
  });
});
