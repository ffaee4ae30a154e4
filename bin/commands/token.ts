import { randomUUID } from "node:crypto";
import type pg from "pg";
import { createTokenSecret, hashToken } from "#lib/server/auth/token-secret.ts";
import { serializeToken, type TokenRow, tokenColumns } from "#lib/server/services/tokens/token-row.ts";
import { CommandError, parseFlags, parseInteger, UsageError } from "../command-line.ts";
import { withDatabase } from "../with-database.ts";

const usage =
  "gatehouse token create --user NAME --name TEXT --role viewer|operator|admin [--expires-in-days N] | list | revoke --id ID";

/** `gatehouse token create|list|revoke` on the database of DATABASE_URL; create prints the token once, alone on stdout. */
export async function runToken([subcommand, ...args]: string[]): Promise<number> {
  if (subcommand === "create") return createToken(args);
  if (subcommand === "list") return listTokens(args);
  if (subcommand === "revoke") return revokeToken(args);
  throw new UsageError(`token knows: ${usage}`);
}

async function createToken(args: string[]): Promise<number> {
  const flags = parseFlags(args, {
    user: { type: "string" },
    name: { type: "string" },
    role: { type: "string" },
    "expires-in-days": { type: "string" },
  });
  const { user, name, role } = flags;
  if (user === undefined || name === undefined || role === undefined) throw new UsageError(`missing flags; ${usage}`);
  if (!["viewer", "operator", "admin"].includes(role))
    throw new UsageError(`--role ${role}: not viewer, operator or admin`);
  if (name.length < 1 || name.length > 100) throw new UsageError("--name must have 1 to 100 characters");
  const days = parseInteger({
    flag: "--expires-in-days",
    text: flags["expires-in-days"],
    fallback: 0,
    min: 1,
    max: 366,
  });
  const secret = createTokenSecret();
  await withDatabase(async (client) => {
    const owner = await findOwner(client, user);
    await client.query(
      `INSERT INTO api_token (id, name, role, owner_id, username, groups, token_hash, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $8 > 0 THEN now() + make_interval(days => $8::int) END)`,
      [randomUUID(), name, role, owner.id, owner.username, owner.groups, hashToken(secret), days],
    );
  });
  process.stdout.write(`${secret}\n`);
  return 0;
}

type Owner = { id: string; username: string; groups: string[] };

/** A token acts as a person who has signed in; the groups are those of the last sign-in. */
async function findOwner(client: pg.Client, user: string): Promise<Owner> {
  const { rows } = await client.query<Owner>(
    `SELECT u.id, COALESCE(s.username, t.username) AS username, COALESCE(s.groups, t.groups) AS groups FROM user_account u
     LEFT JOIN LATERAL (SELECT username, groups FROM user_session WHERE user_id = u.id ORDER BY created_at DESC LIMIT 1) s ON true
     LEFT JOIN LATERAL (SELECT username, groups FROM api_token WHERE owner_id = u.id ORDER BY created_at DESC LIMIT 1) t ON true
     WHERE (u.subject = $1 OR u.name = $1 OR s.username = $1) AND COALESCE(s.username, t.username) IS NOT NULL`,
    [user],
  );
  const [owner, another] = rows;
  if (owner === undefined)
    throw new CommandError(`there is no user ${user}: a token acts as someone who has signed in once`);
  if (another !== undefined) throw new CommandError(`more than one user is called ${user}: give the subject of one`);
  return owner;
}

async function listTokens(args: string[]): Promise<number> {
  parseFlags(args, {});
  const rows = await withDatabase(async (client) => {
    const result = await client.query<TokenRow>(
      `SELECT ${tokenColumns} FROM api_token t JOIN user_account u ON u.id = t.owner_id ORDER BY t.created_at DESC, t.id`,
    );
    return result.rows;
  });
  for (const row of rows) process.stdout.write(`${JSON.stringify(serializeToken(row))}\n`);
  return 0;
}

async function revokeToken(args: string[]): Promise<number> {
  const { id } = parseFlags(args, { id: { type: "string" } });
  if (id === undefined) throw new UsageError(`missing --id; ${usage}`);
  const count = await withDatabase(async (client) => {
    const result = await client.query(
      "UPDATE api_token SET revoked_at = COALESCE(revoked_at, now()) WHERE id::text = $1",
      [id.toLowerCase()],
    );
    return result.rowCount;
  });
  if (count === 0) throw new CommandError(`there is no token ${id}`);
  process.stdout.write(`revoked ${id}\n`);
  return 0;
}
