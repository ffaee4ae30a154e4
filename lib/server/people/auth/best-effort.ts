import { isUnwritableError } from "#lib/server/platform/db/database-errors.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

/** Runs a write such as the time when a person was last seen: its failure must not fail the request. */
export async function bestEffort<Result>(
  runtime: WebRuntime,
  write: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await write();
  } catch (error) {
    if (isUnwritableError(error)) runtime.health.suspectWrites();
    runtime.log.warn({ err: error }, "what was last seen could not be written");
    return undefined;
  }
}
