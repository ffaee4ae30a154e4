import { formatQuery } from "#packages/client/src/send.ts";

/** Returns the page of the effective config, searched for a path such as `auth.roles[3]`. */
export function configHref(path: string): string {
  return `/admin/config${formatQuery({ q: path })}`;
}

/** Returns the audit list: refusals by a policy and actions that broke it, since a time. */
export function policyAuditHref({ policy, from }: { policy: string; from: string }): string {
  return `/audit${formatQuery({ policy, from, rows: "entries" })}`;
}
