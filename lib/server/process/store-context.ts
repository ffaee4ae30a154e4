import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Actor } from "#lib/server/platform/actor/actor.ts";

/** The context of a use case that needs the database and no more. Every `ServiceContext` is one. */
export type StoreContext = {
  runtime: { pool: Pool; log: Logger; now(): Date };
  actor: Actor;
  requestId: string;
};
