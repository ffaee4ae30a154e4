import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Role } from "#lib/contract/common.ts";
import { parseJson } from "#lib/util/parse-json.ts";

const Account = z.strictObject({ username: z.string().min(1), password: z.string().min(8) });

/** The three accounts of the demo, one per role. */
export const DemoAccounts = z.strictObject({ viewer: Account, operator: Account, admin: Account });
export type DemoAccounts = z.infer<typeof DemoAccounts>;

export const demoIssuer = "gatehouse:demo";

export async function readDemoAccounts(file: string): Promise<DemoAccounts> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new Error(`demo accounts: cannot read ${file}`);
  });
  const parsed = DemoAccounts.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`demo accounts: ${file} is not {viewer, operator, admin: {username, password}}`);
  return parsed.data;
}

/** Returns the role for these credentials, compared in constant time over all accounts; undefined for wrong ones. */
export function findDemoRole(
  accounts: DemoAccounts,
  { username, password }: { username: string; password: string },
): Role | undefined {
  let found: Role | undefined;
  for (const role of ["viewer", "operator", "admin"] as const) {
    const account = accounts[role];
    const isUser = isEqual(account.username, username);
    const isPassword = isEqual(account.password, password);
    if (isUser && isPassword) found = role;
  }
  return found;
}

/** Returns the groups that the demo accounts use at the cluster. */
export function demoGroupsOf(role: Role): string[] {
  return [`gatehouse:${role}s`];
}

export function demoRoleOfUser(accounts: DemoAccounts, username: string): Role | undefined {
  return (["admin", "operator", "viewer"] as const).find((role) => accounts[role].username === username);
}

function isEqual(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text, "utf8").digest();
  return timingSafeEqual(digest(left), digest(right));
}
