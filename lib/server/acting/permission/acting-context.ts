import type { MemberSet } from "#lib/domain/acting/barrier.ts";
import type { AskTicket } from "#lib/domain/notify/ticket-events.ts";
import type { FreezePeriod } from "#lib/domain/policy/freeze.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import type { AccountRoles, AuthRules } from "#lib/server/people/auth/derive-rights.ts";
import type { StoreContext } from "#lib/server/platform/actor/actor.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import type { PolicyConfig, TicketCheck } from "#lib/server/platform/config/policy-schema.ts";

/** The context of an action. Every `ServiceContext` is one. */
export type ActingContext = StoreContext & {
  runtime: {
    config(): {
      config: {
        auth: AuthRules;
        clusters: readonly ClusterConfig[];
        limits: { proposalsPerHour: number; agentActionsPerHour: number };
        policies: PolicyConfig;
        publicUrl: string;
        sets: readonly MemberSet[];
      };
    };
    /** `error`: the file on disk is unusable, and nothing may advance. */
    configStatus(): { state: "ok" | "error" | "held" };
    /** Returns undefined for a cluster that the config does not name. */
    cluster(name: string): ClusterClient | undefined;
    /** Those that people made and that have not ended, as this process last heard of them. */
    freezes(): readonly FreezePeriod[];
    askTicket: AskTicket<TicketCheck>;
    localAccounts?: AccountRoles | undefined;
  };
};
