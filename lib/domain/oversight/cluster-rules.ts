import type { Rule } from "./rule.ts";

/** The input of the rules about a cluster. */
export type ClusterFacts = {
  /** Gatehouse's accounts there. `unlimited`: a right to act as any user, and since when (ISO 8601). */
  accounts: { username: string; unlimited: { right: string; since: string } | null }[];
  /** The config asks for such a right. */
  allowsAnyUser: boolean;
};

const tokenUnlimited: Rule<ClusterFacts> = {
  id: "token-unlimited",
  about: "cluster",
  severity: "critical",
  name: "Token can be anybody",
  explanation:
    "The cluster lets Gatehouse's account send requests as one of its administrators. The holder of the web process's token can then read every Secret and change everything, even actions that Gatehouse refuses. It is a warning if the config asks for it (`impersonation.allowAnyUser`).",
  advice:
    "Name users and groups in the account's rule for impersonation (`resourceNames`), as deploy/rbac-act.yaml does, and bind no wider role to it.",
  find: ({ accounts, allowsAnyUser }) =>
    accounts.flatMap(({ username, unlimited }) =>
      unlimited === null
        ? []
        : [
            {
              key: username,
              severity: allowsAnyUser ? ("warning" as const) : ("critical" as const),
              title: "Gatehouse's token can be anybody",
              since: unlimited.since,
              evidence: [
                { label: "Account", value: username },
                { label: "May", value: unlimited.right, at: unlimited.since },
              ],
            },
          ],
    ),
};

export const clusterRules: readonly Rule<ClusterFacts>[] = [tokenUnlimited];
