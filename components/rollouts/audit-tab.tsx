"use client";

import { AbortSummary } from "#components/rollouts/abort-summary.tsx";
import { AuditItems } from "#components/ui/audit-items.tsx";
import { useAudit } from "#lib/client/audit-queries.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

export function AuditTab({ rollout }: { rollout: ObjectRef }) {
  const { cluster, namespace, name } = rollout;
  return (
    <>
      <AbortSummary rollout={rollout} />
      <AuditItems list={useAudit({ cluster, namespace, name, rows: "acts" })} isFiltered={false} />
    </>
  );
}
