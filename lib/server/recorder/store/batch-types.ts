import type { PoolClient } from "pg";
import type { Parsed } from "#lib/domain/kube/kube-object.ts";
import type { GonePresence } from "#lib/domain/kube/watched-kind.ts";
import type { ChangeRow } from "./change-rows.ts";

/** One sight of an object, in the order in which the source delivered it. */
export type ObjectEntry = {
  op: "upsert" | "deleted";
  uid: string;
  resourceVersion: string;
  /** As the cluster gave it, before redaction. */
  object: unknown;
  /** What the writer's `prepare` read of the object. */
  reading?: Parsed<unknown>;
  receivedAt: Date;
  /** Approximate size on the wire in bytes; it bounds what is buffered. */
  size?: number;
};

/** Objects that are no longer there, and what they become. */
export type Gone = { uids: readonly string[]; presence: GonePresence; at: Date };

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
  markGone(tx: PoolClient, gone: Gone): Promise<ChangeRow[]>;
  /** The uids that the store believes to be in the cluster. */
  listLive(tx: PoolClient): Promise<string[]>;
  reset(): void;
};
