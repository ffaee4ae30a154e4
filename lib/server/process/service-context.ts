import type { Actor } from "#lib/server/actor/actor.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/** What every use case is called with, beside its input. */
export type ServiceContext = { runtime: Runtime; actor: Actor; requestId: string };
