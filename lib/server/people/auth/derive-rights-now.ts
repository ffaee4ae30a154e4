import type { Role } from "#lib/contract/common.ts";
import { type Rights, strongestRole } from "#lib/domain/policy/rights.ts";
import { deriveRights, type Subject } from "#lib/server/people/auth/derive-rights.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

/** Derives the rights that the config in force grants now; undefined without any: the sign-in is then refused. */
export function deriveRightsNow(
  runtime: Pick<Runtime, "config" | "localAccounts">,
  subject: Subject,
): { role: Role; rights: Rights } | undefined {
  const { auth } = runtime.config().config;
  const rights = deriveRights({ subject, auth, localAccounts: runtime.localAccounts });
  const role = rights === undefined ? undefined : strongestRole(rights);
  return rights === undefined || role === undefined ? undefined : { role, rights };
}
