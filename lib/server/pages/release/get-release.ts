import type { Release } from "#lib/contract/rollout.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { describeRelease, findRelease } from "./find-release.ts";

/** Returns one release. Throws `not_found`. */
export async function getRelease({ ctx, input }: Call<{ id: string }>): Promise<Release> {
  return describeRelease(ctx, await findRelease(ctx, input.id));
}
