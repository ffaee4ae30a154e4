import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { closeSession } from "#lib/server/people/auth/stored-session.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { type ActingWorld, actorOf, createActingWorld } from "#test/acting-world.ts";
import { createScheduling } from "#test/schedule-world.ts";
import { revokeSession } from "./revoke-session.ts";

let world: ActingWorld;
let scheduling: ReturnType<typeof createScheduling>;
beforeAll(async () => {
  world = await createActingWorld();
  scheduling = createScheduling(world);
});
afterAll(() => world.close());

/** Signs a person in three times. */
async function openSessions(): Promise<{ stolen: Actor; own: Actor; replacing: Actor }> {
  const actor = actorOf("operator");
  const { userId, issuer, name } = actor;
  const subject = `person-${userId}`;
  await world.owner.query("INSERT INTO user_account (id, issuer, subject, name) VALUES ($1, $2, $3, $4)", [
    ...[userId, issuer, subject, name],
  ]);
  const open = async (): Promise<Actor> => {
    const id = randomUUID();
    await world.owner.query(
      `INSERT INTO user_session (id, user_id, username, groups, idle_expires_at, absolute_expires_at)
       VALUES ($1, $2, $3, '{}', now() + interval '1 hour', now() + interval '1 day')`,
      [id, userId, name],
    );
    const later = new Date(Date.now() + 3_600_000);
    const session = { id, authenticatedAt: null, idleExpiresAt: later, absoluteExpiresAt: later };
    return { ...actor, subject, session };
  };
  return { stolen: await open(), own: await open(), replacing: await open() };
}

async function approveTerminal({ userId }: Actor): Promise<string> {
  const id = randomUUID();
  await world.owner.query(
    `INSERT INTO device_request (id, device_code_hash, user_code_hash, device_name, created_at, expires_at, state, owner_id)
     VALUES ($1::uuid, $1::text, $1::text, 'laptop', now(), now() + interval '9 minutes', 'approved', $2::uuid)`,
    [id, userId],
  );
  return id;
}

const idOf = ({ session }: Actor): string => session?.id ?? "";

it("withdraws what was scheduled in the session and refuses the terminal that it approved", async () => {
  const { stolen, own } = await openSessions();
  const [rollout, other] = [await world.addRollout(), await world.addRollout()];
  const planted = await scheduling.schedule({ rollout, actor: stolen });
  const kept = await scheduling.schedule({ rollout: other, actor: own });
  const terminal = await approveTerminal(stolen);
  await revokeSession({ ctx: world.contextOf(own), input: { id: idOf(stolen) } });

  expect(await scheduling.rowOf(planted)).toMatchObject({
    state: "withdrawn",
    message: "operator-person revoked a session of the person who requested it.",
    identity: { groups: [], claims: {}, token: null },
  });
  expect(await scheduling.rowOf(kept)).toMatchObject({ state: "pending" });
  await scheduling.makeDue(planted);
  expect(await scheduling.pass()).toBe(0);
  expect(scheduling.patches()).toBe(0);
  const { rows } = await world.owner.query("SELECT state FROM device_request WHERE id = $1", [terminal]);
  expect(rows).toEqual([{ state: "refused" }]);

  expect(await world.outcomesOf(rollout)).toEqual(["action.schedule applied", "action.unschedule applied"]);
  const { rows: entries } = await world.owner.query(
    "SELECT entry::jsonb -> 'detail' AS detail FROM audit_entry WHERE code IN ('session.revoke', 'device.refuse') ORDER BY seq",
  );
  expect(entries.map(({ detail }) => detail)).toMatchObject([
    { id: idOf(stolen), withdrawn: [planted.id], terminals: [terminal] },
    { request: terminal, session: idOf(stolen) },
  ]);
});

it("withdraws what was scheduled in a session that a later sign-in replaced", async () => {
  const { stolen, own, replacing } = await openSessions();
  const planted = await scheduling.schedule({ rollout: await world.addRollout(), actor: stolen });
  await closeSession(world.owner, { id: idOf(stolen), at: new Date().toISOString() });
  const kept = await scheduling.schedule({ rollout: await world.addRollout(), actor: own });
  await revokeSession({ ctx: world.contextOf(own), input: { id: idOf(replacing) } });

  expect(await scheduling.rowOf(planted)).toMatchObject({ state: "withdrawn" });
  expect(await scheduling.rowOf(kept)).toMatchObject({ state: "pending" });
});

it("returns the session that it ended, also if the entries of what ended with it cannot be written", async () => {
  const { stolen, own } = await openSessions();
  const planted = await scheduling.schedule({ rollout: await world.addRollout(), actor: stolen });
  await world.owner.query(
    `CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$;
     CREATE TRIGGER no_space BEFORE INSERT ON audit_entry FOR EACH ROW
     WHEN (NEW.code = 'action.unschedule') EXECUTE FUNCTION no_space()`,
  );
  const logged = vi.spyOn(world.runtime.log, "error");
  onTestFinished(async () => {
    logged.mockRestore();
    await world.owner.query("DROP FUNCTION no_space() CASCADE");
  });
  const ended = await revokeSession({ ctx: world.contextOf(own), input: { id: idOf(stolen) } });

  expect(ended).toMatchObject({ id: idOf(stolen) });
  expect(await scheduling.rowOf(planted)).toMatchObject({ state: "withdrawn" });
  expect(logged).toHaveBeenCalledOnce();
});

it("lets a request that was under way in the session schedule nothing", async () => {
  const { stolen, own } = await openSessions();
  await revokeSession({ ctx: world.contextOf(own), input: { id: idOf(stolen) } });
  const asked = scheduling.schedule({ rollout: await world.addRollout(), actor: stolen });
  await expect(asked).rejects.toMatchObject({ code: "unauthenticated" });
});
