import type { FreezePeriod } from "#lib/domain/policy/freeze.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import type { Config } from "#lib/server/platform/config/config-schema.ts";
import type { LocalAccounts } from "#lib/server/process/local-accounts.ts";
import type { StoreContext } from "#lib/server/process/store-context.ts";

/** The context of an action. Every `ServiceContext` is one. */
export type ActingContext = StoreContext & {
  runtime: {
    config(): { config: Pick<Config, "auth" | "clusters" | "policies" | "publicUrl"> };
    /** `error`: the file on disk is unusable, and nothing may advance. */
    configStatus(): { state: "ok" | "error" | "held" };
    /** Returns undefined for a cluster that the config does not name. */
    cluster(name: string): ClusterClient | undefined;
    /** Those that people made and that have not ended, as this process last heard of them. */
    freezes(): readonly FreezePeriod[];
    localAccounts?: LocalAccounts | undefined;
  };
};
