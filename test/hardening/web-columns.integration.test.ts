import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";

/** Columns that the web process may change in rows that identify who asked for what, and in rows of API tokens. */
const changeable: Record<string, string[]> = {
  action: [
    ...["applied_at", "deadline_at", "effect_why", "effective_at", "idempotency_key", "intent_seq", "look_at"],
    ...["message", "outcome_seq", "plan", "state", "watch_until"],
  ],
  approval: [
    ...["action_id", "decided_at", "decided_by", "decided_by_name", "decided_username"],
    ...["decision", "decision_reason", "votes"],
  ],
  scheduled_action: ["action_id", "claim", "claimed_at", "ended_at", "identity", "message", "state"],
  user_account: ["email", "last_seen_at", "name"],
  api_token: ["last_used_at", "restricted", "revoked_at"],
};

let database: TestDatabase;
let web: ReturnType<typeof createTestPool>;
beforeAll(async () => {
  database = await createTestDatabase();
  web = createTestPool(database.webUrl);
});
afterAll(async () => {
  await web.end();
  await database.drop();
});

describe("the web role", () => {
  it.each(Object.entries(changeable))("changes columns of %s, and locks its rows", async (table, columns) => {
    const { rows } = await web.query(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_name = $1 AND has_column_privilege($1, column_name, 'UPDATE') ORDER BY 1`,
      [table],
    );
    expect(rows.map(({ name }) => name)).toEqual(columns.toSorted());
    await expect(web.query(`SELECT FROM ${table} FOR UPDATE`)).resolves.toBeDefined();
    await expect(web.query(`DELETE FROM ${table}`)).rejects.toMatchObject({ code: "42501" });
  });

  it.each([
    "UPDATE api_token SET token_hash = 'x'",
    "UPDATE api_token SET owner_id = gen_random_uuid(), role = 'admin'",
    "UPDATE user_account SET subject = 'somebody-else'",
    "UPDATE approval SET requested_by = 'x'",
    "UPDATE action SET actor_key = 'x'",
    "UPDATE scheduled_action SET requested_by = 'x'",
    "UPDATE scheduled_action SET due_at = now()",
  ])("may not %s", async (statement) => {
    await expect(web.query(statement)).rejects.toMatchObject({ code: "42501" });
  });
});
