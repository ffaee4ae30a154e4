import { Role } from "#lib/contract/common.ts";
import { robotIssuer } from "#lib/server/people/auth/derive-rights.ts";
import { createTokenAsAdmin, listAllTokens, revokeTokenAsAdmin } from "#lib/server/people/tokens/token-admin.ts";
import { CommandError, parseFlags, parseInteger, UsageError } from "../command-line.ts";
import { withDatabase } from "../with-database.ts";

const usage =
  "gatehouse token create --user SUBJECT --name TEXT --role viewer|operator|admin [--issuer URL] [--groups A,B] [--expires-in-days N] [--restricted] | list | revoke --id ID";

/**
 * Runs `gatehouse token create|list|revoke` on the database of DATABASE_URL; create prints the token once, with nothing
 * else on stdout.
 */
export async function runToken([subcommand, ...args]: string[]): Promise<number> {
  if (subcommand === "create") return createToken(args);
  if (subcommand === "list") return listTokens(args);
  if (subcommand === "revoke") return revokeToken(args);
  throw new UsageError(`usage: ${usage}`);
}

async function createToken(args: string[]): Promise<number> {
  const flags = parseFlags(args, {
    user: { type: "string" },
    issuer: { type: "string" },
    name: { type: "string" },
    role: { type: "string" },
    groups: { type: "string" },
    "expires-in-days": { type: "string" },
    restricted: { type: "boolean" },
  });
  if (!flags.user || flags.name === undefined || flags.role === undefined)
    throw new UsageError(`missing flags; ${usage}`);
  const role = Role.safeParse(flags.role);
  if (!role.success) throw new UsageError(`--role ${flags.role}: not viewer, operator or admin`);
  if (flags.name.length < 1 || flags.name.length > 100) throw new UsageError("--name must have 1 to 100 characters");
  const days = flags["expires-in-days"];
  const token = {
    name: flags.name,
    role: role.data,
    owner: { issuer: flags.issuer ?? robotIssuer, subject: flags.user },
    restricted: flags.restricted,
    groups: flags.groups?.split(",").filter((group) => group !== ""),
    expiresInDays:
      days === undefined
        ? undefined
        : parseInteger({ flag: "--expires-in-days", text: days, fallback: 0, min: 1, max: 366 }),
  };
  const created = await withDatabase((pool) => createTokenAsAdmin({ pool, token }));
  process.stdout.write(`${created.token}\n`);
  return 0;
}

async function listTokens(args: string[]): Promise<number> {
  parseFlags(args, {});
  for (const token of await withDatabase(listAllTokens)) process.stdout.write(`${JSON.stringify(token)}\n`);
  return 0;
}

async function revokeToken(args: string[]): Promise<number> {
  const { id } = parseFlags(args, { id: { type: "string" } });
  if (id === undefined) throw new UsageError(`missing --id; ${usage}`);
  const revoked = await withDatabase((pool) => revokeTokenAsAdmin({ pool, id: id.toLowerCase() }));
  if (revoked === undefined) throw new CommandError(`there is no token ${id}`);
  process.stdout.write(`revoked ${id}\n`);
  return 0;
}
