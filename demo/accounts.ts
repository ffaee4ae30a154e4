import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Role } from "#lib/contract/common.ts";
import type { LocalAccounts } from "#lib/server/process/runtime-types.ts";
import { parseJson } from "#lib/util/json.ts";

const Account = z.strictObject({ username: z.string().min(1), password: z.string().min(8) });

/** The three accounts of the demo, one per role. */
const DemoAccounts = z.strictObject({ viewer: Account, operator: Account, admin: Account });
export type DemoAccounts = z.infer<typeof DemoAccounts>;

export const demoIssuer = "gatehouse:demo";

/** Reads the accounts that the launcher of the demo has written. Throws a one-line error for an unusable file. */
export async function readDemoAccounts(file: string): Promise<LocalAccounts> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new Error(`demo accounts: cannot read ${file}`);
  });
  const parsed = DemoAccounts.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`demo accounts: ${file} is not {viewer, operator, admin: {username, password}}`);
  return createDemoAccounts(parsed.data);
}

export function createDemoAccounts(accounts: DemoAccounts): LocalAccounts {
  const list = (["viewer", "operator", "admin"] as const).map((role) => ({
    role,
    ...accounts[role],
    groups: demoGroupsOf(role),
  }));
  return {
    issuer: demoIssuer,
    method: "demo",
    label: "Demo account",
    note: "These accounts exist only in the demo and reach only its sandbox cluster.",
    list,
    // In constant time over all accounts.
    check: ({ username, password }) => {
      const isRight = list.map((account) => {
        const isUser = isEqual(account.username, username);
        const isPassword = isEqual(account.password, password);
        return isUser && isPassword;
      });
      return list.find((_, index) => isRight[index]);
    },
  };
}

/** Returns the groups that the demo accounts use at the cluster. */
export function demoGroupsOf(role: Role): string[] {
  return [`gatehouse:${role}s`];
}

function isEqual(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text, "utf8").digest();
  return timingSafeEqual(digest(left), digest(right));
}
