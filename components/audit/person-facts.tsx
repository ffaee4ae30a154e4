import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { Fact } from "#components/ui/fact.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AuditDetail } from "#lib/contract/audit.ts";

/** Shows who changed something in the cluster, as its API server audited it, and the other entry that belongs to it. */
export function PersonFacts({ entry }: { entry: AuditDetail }) {
  const { code, detail, attributedBy, request } = entry;
  const explains = code === "cluster.attributed" && typeof detail?.explains === "number" ? detail.explains : undefined;
  return (
    <>
      {explains !== undefined && (
        <Fact label="Explains">
          entry <EntryLink seq={explains} />
        </Fact>
      )}
      {attributedBy !== null && (
        <Fact label="Person">
          found later, in entry <EntryLink seq={attributedBy} />
        </Fact>
      )}
      {request !== null && (
        <Fact label="Audited">
          <HostileText text={request.username} />
          {request.impersonatedBy !== null && (
            <>
              , impersonated by <HostileText text={request.impersonatedBy} />
            </>
          )}
          , <RelativeTime at={request.at} />
          <Text size="sm" c="dimmed" component="div">
            <HostileText text={request.userAgent} />
            {request.sourceAddresses.length > 0 && `, from ${request.sourceAddresses.join(", ")}`}
            {request.groups.length > 0 && `, groups ${request.groups.join(", ")}`}
          </Text>
        </Fact>
      )}
    </>
  );
}

function EntryLink({ seq }: { seq: number }) {
  return (
    <Anchor component={Link} href={auditHref(seq)} inherit>
      {seq}
    </Anchor>
  );
}
