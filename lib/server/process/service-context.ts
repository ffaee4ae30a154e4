import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/** What every use case is called with, in addition to its input. */
export type ServiceContext = { runtime: Runtime; actor: Actor; requestId: string };

/** The argument of a use case. */
export type Call<Input> = { ctx: ServiceContext; input: Input };
