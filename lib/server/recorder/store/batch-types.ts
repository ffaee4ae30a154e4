import type { PoolClient } from "pg";
import type { ChangeRow } from "./change-rows.ts";

/** One sight of an object, in the order in which the source delivered it. */
export type ObjectEntry = {
  op: "upsert" | "deleted";
  uid: string;
  resourceVersion: string;
  /** As the cluster gave it, before redaction. */
  object: unknown;
  receivedAt: Date;
  /** Approximate size on the wire in bytes; it bounds what is buffered. */
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
  /** Does as much as possible before it is the entry's turn, while the database works on earlier entries. */
  prepare?(entry: ObjectEntry): void;
  write(tx: PoolClient, entries: readonly ObjectEntry[]): Promise<KindResult>;
  markGone(tx: PoolClient, gone: { uids: readonly string[]; presence: string; at: Date }): Promise<ChangeRow[]>;
  /** The uids that the store believes to be in the cluster. */
  listLive(tx: PoolClient): Promise<string[]>;
  reset(): void;
};
