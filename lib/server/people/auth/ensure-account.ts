import { randomUUID } from "node:crypto";
import type { UpdateObject } from "kysely";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** Creates the person's account, or sets `changes` on the one that exists. Returns its id. */
export async function ensureAccount(
  connection: Connection,
  {
    issuer,
    subject,
    name,
    email,
    changes,
  }: {
    issuer: string;
    subject: string;
    name: string;
    email?: string | undefined;
    changes: UpdateObject<Tables, "user_account">;
  },
): Promise<string> {
  const row = await readRow(
    connection,
    tables
      .insertInto("user_account")
      .values({ id: randomUUID(), issuer, subject, name, email })
      .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doUpdateSet(changes))
      .returning("id"),
  );
  if (row === undefined) throw new Error("the account was not returned");
  return row.id;
}
