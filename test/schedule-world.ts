import type { RolloutActionRequest } from "#lib/contract/action.ts";
import type { ScheduledAction } from "#lib/contract/scheduled-action.ts";
import { claimDue, runScheduled } from "#lib/server/acting/schedule/run-scheduled.ts";
import { scheduleAction } from "#lib/server/acting/schedule/schedule-action.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, type TestRollout } from "#test/acting-world.ts";

type Options = {
  rollout: Pick<TestRollout, "path" | "look">;
  action?: RolloutActionRequest["action"];
  actor?: Actor;
  reason?: string;
  inMinutes?: number;
  expect?: RolloutActionRequest["expect"];
};

/** Schedules actions, moves their time, and does what a web process does when it has come. */
export function createScheduling(world: ActingWorld) {
  const scheduling = {
    schedule: async ({
      rollout,
      action = "continue",
      actor = actorOf("operator"),
      reason = "because",
      inMinutes = 60,
      expect,
    }: Options): Promise<ScheduledAction> =>
      scheduleAction({
        ctx: world.contextOf(actor),
        input: {
          ...rollout.path,
          ...{ action, reason, dueAt: new Date(Date.now() + inMinutes * 60_000).toISOString() },
          expect: expect ?? (await rollout.look()),
        },
      }),
    /** Moves its time to this many seconds ago. */
    makeDue: ({ id }: { id: string }, secondsAgo = 1) =>
      world.owner.query(
        "UPDATE scheduled_action SET due_at = clock_timestamp() - make_interval(secs => $2) WHERE id = $1",
        [id, secondsAgo],
      ),
    /** Its process is gone, or has stalled for longer than a claim lasts. */
    lapse: ({ id }: { id: string }) =>
      world.owner.query("UPDATE scheduled_action SET claimed_at = claimed_at - interval '61 s' WHERE id = $1", [id]),
    claim: () => claimDue(world.runtime, 20),
    run: (claimed: Awaited<ReturnType<typeof claimDue>>[number]) =>
      runScheduled(world.runtime, claimed, (_, outcome) => outcome),
    /** One pass of one process; resolves when all that it claimed has ended. */
    pass: async (): Promise<number> => {
      const claimed = await scheduling.claim();
      await Promise.all(claimed.map(scheduling.run));
      return claimed.length;
    },
    rowOf: async ({ id }: { id: string }) => {
      const { rows } = await world.owner.query("SELECT * FROM scheduled_action WHERE id = $1", [id]);
      return rows[0];
    },
    patches: () => world.requests.filter(({ method }) => method === "PATCH").length,
  };
  return scheduling;
}
