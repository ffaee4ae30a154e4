import { afterAll, beforeAll, expect, it } from "vitest";
import type { ListPage } from "#lib/contract/common.ts";
import { type RankedWait, rankWait } from "#lib/domain/waiting/rank-wait.ts";
import { getInbox } from "#lib/server/pages/inbox/get-inbox.ts";
import { listRollouts } from "#lib/server/pages/rollout/list-rollouts.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { type ActingWorld, actorOf, createActingWorld } from "#test/acting-world.ts";

let world: ActingWorld;
beforeAll(async () => {
  world = await createActingWorld();
});
afterAll(() => world.close());

type Wait = RankedWait & { minutes: number };
const severities = ["critical", "warning", "info"] as const;
const reasons = ["finding", "degraded", "pause"] as const;

/**
 * A critical finding needs one that is recorded, and an abort on purpose, which is "info", is answered: neither would be
 * listed.
 */
const isListed = ({ reason, severity }: Wait) =>
  !(reason === "finding" && severity === "critical") && !(reason === "degraded" && severity === "info");

/** Every severity at each weight, each for several reasons and with different ages, in no order. */
const waits: Wait[] = [null, 0, 0.001, 5, 33.3, 100]
  .flatMap((traffic) =>
    severities.flatMap((severity) =>
      [3, 9].flatMap((minutes) => reasons.map((reason) => ({ isSnoozed: false, reason, traffic, severity, minutes }))),
    ),
  )
  .filter(isListed);

const names = new Map<string, Wait>();
beforeAll(async () => {
  for (const wait of waits) {
    const rollout = await world.addRollout();
    names.set(rollout.path.namespace, wait);
    await world.owner.query(
      `UPDATE rollout SET attention_reason = $5, attention_severity = $2, weight_actual = $3,
         attention_since = date_trunc('hour', now()) - $4 * interval '1 minute' WHERE id = $1`,
      [rollout.id, wait.severity, wait.traffic, wait.minutes, wait.reason],
    );
  }
});

type Place = { namespace: string };
type ReadPage = (ctx: ServiceContext, cursor: string | undefined) => Promise<ListPage<Place>>;

async function readInboxPage(ctx: ServiceContext, cursor: string | undefined): Promise<ListPage<Place>> {
  const { items, nextCursor } = await getInbox({ ctx, input: { limit: 17, answered: "false", cursor } });
  return { items: items.map(({ rollout }) => rollout), nextCursor };
}

it.each<[string, ReadPage, (wait: Wait) => number]>([
  ["inbox", readInboxPage, rankWait],
  [
    "list of rollouts",
    (ctx, cursor) => listRollouts({ ctx, input: { limit: 17, sort: "need", cursor } }),
    (wait) => rankWait({ ...wait, isSnoozed: false }),
  ],
])("orders the %s as the rule says, over several pages", async (_, readPage, rank) => {
  const seen: Wait[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(world.contextOf(actorOf("viewer")), cursor);
    seen.push(...page.items.flatMap(({ namespace }) => names.get(namespace) ?? []));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toHaveLength(waits.length);
  const byRule = waits.toSorted((one, other) => rank(one) - rank(other) || other.minutes - one.minutes);
  expect(seen).toEqual(byRule);
});
