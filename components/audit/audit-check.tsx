"use client";

import { Button, Group, Text } from "@mantine/core";
import { StateIcon } from "#components/ui/state-icon.tsx";
import { useAuditVerification } from "#lib/client/audit-queries.ts";
import { useMe } from "#lib/client/system-queries.ts";

/** Verifies the whole chain on demand, and offers its export; both are an admin's. */
export function AuditCheck() {
  const role = useMe().data?.role;
  const { data, error, isFetching, refetch } = useAuditVerification();
  if (role !== "admin") return null;
  return (
    <Group gap="sm">
      <Text size="sm" role="status">
        {error !== null ? (
          `The chain could not be checked: ${error.message}`
        ) : data === undefined ? (
          ""
        ) : (
          <Verdict ok={data.ok} text={describeVerification(data)} />
        )}
      </Text>
      <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
        Verify the chain
      </Button>
      <Button size="xs" variant="default" component="a" href="/api/v1/audit/export" download="gatehouse-audit.jsonl">
        Export
      </Button>
    </Group>
  );
}

function Verdict({ ok, text }: { ok: boolean; text: string }) {
  return (
    <Group gap={6} component="span" wrap="nowrap">
      <StateIcon state={ok ? "successful" : "failed"} /> {text}
    </Group>
  );
}

function describeVerification({
  ok,
  entries,
  brokenAt,
  reason,
}: {
  ok: boolean;
  entries: number;
  brokenAt?: number;
  reason?: string;
}): string {
  return ok ? `Unbroken: ${entries} entries.` : `Broken at entry ${brokenAt ?? "?"}: ${reason ?? "no reason given"}`;
}
