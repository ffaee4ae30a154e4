import type { PoolClient } from "pg";
import type { Parsed } from "#lib/domain/kube/kube-object.ts";
import type { GonePresence } from "#lib/domain/kube/watched-kind.ts";
import type { Redaction } from "#lib/domain/storable/redact-object.ts";
import type { ChangeRow } from "./change-rows.ts";
import type { ChangeTrace } from "./trace-change.ts";

/** One version of an object, in the order in which the source delivered it. */
export type ObjectEntry = {
  op: "upsert" | "deleted";
  uid: string;
  resourceVersion: string;
  /** As the cluster gave it, before redaction. */
  object: unknown;
  /** The object as the writer parsed it ahead of its turn. */
  reading?: Parsed<unknown>;
  /** A large part of the object, as a thread redacted it. */
  redaction?: Redaction & { readonly part: unknown };
  /** Why it must not be read: it is too large, or a thread could not redact it in time. */
  refusal?: string;
  receivedAt: Date;
  /** How far the cluster's clock was ahead then, if it is known. */
  clockSkewMs?: number | undefined;
  /** Approximate size on the wire in bytes; it counts towards the limit of the buffer. */
  size?: number;
  trace?: ChangeTrace | undefined;
};

/** Objects that are no longer there, and their new presence. */
export type Gone = { uids: readonly string[]; presence: GonePresence; at: Date };

/** An object that could not be understood or stored. */
export type PoisonEntry = { entry: ObjectEntry; reason: string };

export type KindResult = {
  changes: ChangeRow[];
  poison: PoisonEntry[];
  /** Takes the written state into memory; called only after the transaction is committed. */
  committed(): void;
};

/** Writes one kind of object. It may keep written state in memory, to write less; `reset` clears that. */
export type KindWriter = {
  /** Does as much as possible before it is the entry's turn, while the database works on earlier entries. */
  prepare?(entry: ObjectEntry): void;
  /**
   * Returns the part of the object that it redacts to store it, the same one each time. Omitted, or undefined, if it
   * redacts single texts.
   */
  partToRedact?(entry: ObjectEntry): unknown;
  /** Does what takes long before the entries are written, outside the transaction. Rejects if that must be tried again. */
  complete?(entries: readonly ObjectEntry[]): Promise<void>;
  write(tx: PoolClient, entries: readonly ObjectEntry[]): Promise<KindResult>;
  markGone(tx: PoolClient, gone: Gone): Promise<ChangeRow[]>;
  /** Lists the uids that are stored as present in the cluster. */
  listLive(tx: PoolClient): Promise<string[]>;
  reset(): void;
};
