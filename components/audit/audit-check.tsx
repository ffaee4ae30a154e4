"use client";

import { Button, Group, Menu, Text } from "@mantine/core";
import { formatClockTime } from "#components/ui/format-time.ts";
import { IconChevronDown } from "#components/ui/icons.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { useAuditVerification } from "#lib/client/audit-queries.ts";
import { withBasePath } from "#lib/client/base-path.ts";
import { useIsAdmin } from "#lib/client/system-queries.ts";
import { shownTimeZone } from "#lib/client/time-display.ts";
import type { AuditVerification } from "#lib/contract/audit.ts";

/** Offers verification of the whole chain, on demand, and the export. */
export function AuditCheck() {
  const isAdmin = useIsAdmin();
  return (
    <Group gap="sm">
      <Verification />
      <Export seesAll={isAdmin} />
    </Group>
  );
}

function Verification() {
  const { data, dataUpdatedAt, error, isFetching, refetch } = useAuditVerification();
  return (
    <Group gap="sm">
      <Text size="sm" role="status">
        {error !== null ? (
          `The chain could not be checked: ${error.message}`
        ) : data === undefined ? (
          "Not verified yet"
        ) : (
          <Verdict ok={data.ok} text={describeVerification(data, dataUpdatedAt)} />
        )}
      </Text>
      <Button size="xs" variant="default" loading={isFetching} onClick={() => void refetch()}>
        Verify the chain
      </Button>
    </Group>
  );
}

function Export({ seesAll }: { seesAll: boolean }) {
  const path = "/api/v1/audit/export";
  return (
    <Menu position="bottom-end" width={300} withinPortal shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} aria-hidden="true" />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown style={{ maxWidth: "calc(100vw - 1.5rem)" }}>
        <Menu.Item component="a" href={withBasePath(`${path}?format=jsonl`)} download="gatehouse-audit.jsonl">
          JSON lines
          <Text size="xs" c="dimmed">
            The chain, for verification elsewhere
            {seesAll ? "." : "; entries that you may not see appear as hashes only."}
          </Text>
        </Menu.Item>
        <Menu.Item component="a" href={withBasePath(`${path}?format=csv`)} download="gatehouse-audit.csv">
          CSV
          <Text size="xs" c="dimmed">
            A table of {seesAll ? "every entry" : "the entries you may see"}, for a spreadsheet.
          </Text>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Verdict({ ok, text }: { ok: boolean; text: string }) {
  return (
    <Group gap={6} component="span" wrap="nowrap">
      <StateIcon state={ok ? "successful" : "failed"} /> {text}
    </Group>
  );
}

/** Says what a verification found: the chain begins at entry 1. `atMs`: when it ended. */
export function describeVerification({ ok, entries, brokenAt, reason }: AuditVerification, atMs: number): string {
  if (!ok) return `Broken at entry ${brokenAt ?? "?"}: ${reason ?? "no reason given"}`;
  const range = entries === 0 ? "no entries" : entries === 1 ? "entry 1" : `entries 1 to ${entries}`;
  return `Chain verified: ${range}, ${formatClockTime(atMs)} ${shownTimeZone()}`;
}
