import type { PoolClient } from "pg";
import type { ChangeRow } from "./change-rows.ts";

/** One sight of an object, in the order in which the source gave it. */
export type ObjectEntry = {
  op: "upsert" | "deleted";
  uid: string;
  resourceVersion: string;
  /** As the cluster gave it, before redaction. */
  object: unknown;
  receivedAt: Date;
  /** About how many bytes it had on the wire: what is buffered is bounded by it. */
  size?: number;
};

/** An object that could not be understood or stored. */
export type PoisonEntry = { entry: ObjectEntry; reason: string };

export type KindResult = {
  changes: ChangeRow[];
  poison: PoisonEntry[];
  /** Takes what was written into memory; called once the transaction is committed, and only then. */
  committed(): void;
};

/** Writes one kind of object. It may remember what it wrote, to write less; `reset` makes it forget. */
export type KindWriter = {
  /** Does what can be done before the entry's turn comes, while the database is at work on earlier ones. */
  prepare?(entry: ObjectEntry): void;
  write(tx: PoolClient, entries: readonly ObjectEntry[]): Promise<KindResult>;
  markGone(tx: PoolClient, gone: { uids: readonly string[]; presence: string; at: Date }): Promise<ChangeRow[]>;
  /** The uids that the store believes to be in the cluster. */
  listLive(tx: PoolClient): Promise<string[]>;
  reset(): void;
};
