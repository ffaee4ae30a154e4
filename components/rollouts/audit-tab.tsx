"use client";

import { AuditItems } from "#components/ui/audit-items.tsx";
import { useAudit } from "#lib/client/audit-queries.ts";
import type { RolloutName } from "#lib/client/rollout-path.ts";

export function AuditTab({ rollout: { cluster, namespace, name } }: { rollout: RolloutName }) {
  return <AuditItems list={useAudit({ cluster, namespace, name })} isFiltered={false} />;
}
