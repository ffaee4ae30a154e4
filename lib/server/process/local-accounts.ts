import type { Role } from "#lib/contract/common.ts";

/** An account with a password and a fixed role: role bindings do not apply to it. */
export type LocalAccount = { role: Role; username: string; password: string; groups: readonly string[] };

/** Accounts that the start of the web process adds to those of the identity provider. Only the demo has some. */
export type LocalAccounts = {
  issuer: string;
  /** Names the sign-in method: in next-auth, in its path, and in the audit entry. */
  method: string;
  /** For people, in the singular: "Demo account". */
  label: string;
  /** Shown below the list of accounts on the sign-in page. */
  note: string;
  list: readonly LocalAccount[];
  /** Returns the account with these credentials; undefined for wrong ones. */
  check(credentials: { username: string; password: string }): LocalAccount | undefined;
};
