import { FreezeRequest } from "#lib/contract/freeze.ts";
import { createFreeze } from "#lib/server/acting/freezes/freezes.ts";
import { type ActingWorld, actorOf } from "#test/acting-world.ts";
import { createTestPool } from "#test/test-pool.ts";

const replicas = 3;
/** So many promotes come after the freeze: a fast machine may have sent all others before it. */
const comeLater = 5;

/** Counts of one race. `late`: promotes that were sent after the freeze was answered. */
export type LineResult = { sent: number; late: number; frozen: number; aborted: number; others: string[] };

/**
 * Freezes everything while several replicas promote and abort. Each replica has its own connections, and thus its own
 * queue to the audit chain. Every third first patch conflicts, so that some are sent again later.
 */
export async function raceLine(
  world: ActingWorld,
  { promotes, aborts }: { promotes: number; aborts: number },
): Promise<LineResult> {
  const pools = Array.from({ length: replicas }, () => createTestPool(String(world.web.options.connectionString)));
  const rollouts = await Promise.all(Array.from({ length: promotes + aborts }, () => world.addRollout()));
  const seen = await Promise.all(rollouts.map((rollout) => rollout.look()));
  const result: LineResult = { sent: 0, late: 0, frozen: 0, aborted: 0, others: [] };
  const half = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  let isStopped = false;
  let patches = 0;
  world.setIntercept((request, send) => {
    if (request.method !== "PATCH") return send();
    const isAbort = JSON.stringify(request.body).includes('"abort":true');
    if (!isAbort && isStopped) result.late += 1;
    patches += 1;
    if (patches > promotes / 4) half.resolve();
    if (patches % 3 !== 0) return send();
    return Promise.resolve({ status: 409, json: { message: "changed" }, text: "", date: undefined });
  });
  const acts = rollouts.map(async (rollout, index) => {
    if (index < comeLater) await stopped.promise;
    const action = index % (promotes + aborts) < promotes ? "continue" : "abort";
    const pool = pools[index % replicas] ?? world.web;
    const actor = { ...actorOf("operator"), subject: `person-${index}`, name: `person-${index}` };
    const runtime = { ...world.runtime, pool };
    const answer = await world
      .act({ rollout, action, actor, runtime, ...(seen[index] && { expect: seen[index] }) })
      .then(
        ({ state }) => `${action} ${state}`,
        ({ code }: { code?: string }) => `${action} ${code}`,
      );
    if (answer === "continue applied") result.sent += 1;
    else if (answer === "continue frozen") result.frozen += 1;
    else if (answer === "abort applied") result.aborted += 1;
    else result.others.push(answer);
  });
  await half.promise;
  const input = FreezeRequest.parse({ reason: "incident", endsAt: new Date(Date.now() + 3_600_000).toISOString() });
  const ctx = { ...world.contextOf(actorOf("operator")), runtime: { ...world.runtime, pool: pools[0] ?? world.web } };
  await createFreeze({ ctx, input });
  isStopped = true;
  stopped.resolve();
  await Promise.all(acts);
  world.setIntercept(undefined);
  await world.owner.query("UPDATE freeze_period SET ends_at = now() - interval '1 second'");
  await Promise.all(pools.map((pool) => pool.end()));
  return result;
}
