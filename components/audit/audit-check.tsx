"use client";

import { Button, Group, Menu, Text } from "@mantine/core";
import { IconChevronDown } from "#components/ui/icons.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { useAuditVerification, useLastVerification } from "#lib/client/audit-queries.ts";
import { withBasePath } from "#lib/client/base-path.ts";
import { useIsAdmin } from "#lib/client/system-queries.ts";
import type { AuditItem, AuditVerification } from "#lib/contract/audit.ts";
import { formatCountOf } from "#lib/util/words.ts";

/** Says how far the chain is verified, verifies it on demand, and offers the export. */
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
  const { data, isSkipped, dataUpdatedAt, error, isFetching, verify } = useAuditVerification();
  const last = useLastVerification(isSkipped);
  return (
    <Group gap="sm">
      <Text size="sm" component="div" role="status">
        {error !== null ? (
          `The chain could not be checked: ${error.message}`
        ) : data !== undefined ? (
          <Verdict {...data} at={new Date(dataUpdatedAt).toISOString()} />
        ) : isSkipped ? (
          <LastVerdict last={last} />
        ) : (
          "Verifying the chain"
        )}
      </Text>
      <Button size="xs" variant="default" loading={isFetching} onClick={verify}>
        Verify the chain
      </Button>
    </Group>
  );
}

/** Of a log that is too large to be verified by each opened page: what was verified last, by whom. */
export function LastVerdict({ last }: { last: Pick<AuditItem, "time" | "actor" | "detail"> | undefined }) {
  const { ok, entries, brokenAt } = last?.detail ?? {};
  if (last === undefined || typeof ok !== "boolean" || typeof entries !== "number") return "Not verified yet";
  const words = ok
    ? `Last verified up to entry ${entries}`
    : `Broken at entry ${typeof brokenAt === "number" ? brokenAt : "?"}`;
  return (
    <Verdicted ok={ok}>
      {words}, <RelativeTime at={last.time} /> by <bdi>{last.actor.name}</bdi>
    </Verdicted>
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

type VerdictProps = AuditVerification & {
  /** When the verification ended. */
  at: string;
};

/** Says what a verification found, and when it was. */
export function Verdict({ at, ...found }: VerdictProps) {
  return (
    <Verdicted ok={found.ok}>
      {describeVerification(found)}, <RelativeTime at={at} />
    </Verdicted>
  );
}

function Verdicted({ ok, children }: { ok: boolean; children: React.ReactNode }) {
  return (
    <Group gap={6} component="span" wrap="nowrap">
      <StateIcon state={ok ? "successful" : "failed"} /> <span>{children}</span>
    </Group>
  );
}

/** Says how many entries were verified, or where the chain is broken. */
export function describeVerification({ ok, entries, brokenAt, reason }: AuditVerification): string {
  if (!ok) return `Broken at entry ${brokenAt ?? "?"}: ${reason ?? "no reason given"}`;
  return `Chain verified: ${formatCountOf(entries, "entry", "entries")}`;
}
