"use client";

import { Anchor, Code, Stack, Text } from "@mantine/core";
import Link from "next/link";
import classes from "#components/audit/audit.module.css";
import { parseSent } from "#components/audit/parse-sent.ts";
import { Section } from "#components/ui/section.tsx";
import { useAuditEntry } from "#lib/client/audit-queries.ts";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AuditDetail } from "#lib/contract/audit.ts";

/** Shows the patches of an action's outcome as the cluster got them; for older entries, the planned ones. */
export function SentPatches({ entry }: { entry: AuditDetail }) {
  if (entry.action === undefined || entry.outcome === undefined || entry.outcome === "intent") return null;
  if (entry.intentSeq === null) return null;
  const sent = parseSent(entry.detail?.sent);
  return (
    <Section id="sent" title="Patch sent to the cluster">
      {sent === undefined ? (
        <PlannedPatches seq={entry.intentSeq} />
      ) : sent.length === 0 ? (
        <Text size="sm">Nothing was sent.</Text>
      ) : (
        <Stack gap="sm">
          {sent.map(({ object, subresource, resourceVersion, body, answer }) => (
            <div key={`${subresource} ${resourceVersion}`}>
              <Text size="sm" mb={4}>
                {object}
                {subresource !== "" && `, subresource ${subresource}`}, required version {resourceVersion}: {answer} by
                the cluster
              </Text>
              <Code block tabIndex={0} className={classes.code}>
                {JSON.stringify(body, null, 2)}
              </Code>
            </div>
          ))}
        </Stack>
      )}
    </Section>
  );
}

/** Shows the planned patches: outcomes that a recorder found out, and those of earlier versions, lack the sent ones. */
function PlannedPatches({ seq }: { seq: number }) {
  const planned = useAuditEntry(seq).data?.detail?.patches;
  return (
    <Stack gap="xs">
      <Text size="sm">
        Not recorded in this entry. Planned in the request,{" "}
        <Anchor component={Link} href={auditHref(seq)} inherit>
          entry {seq}
        </Anchor>
        :
      </Text>
      {planned !== undefined && (
        <Code block tabIndex={0} className={classes.code}>
          {JSON.stringify(planned, null, 2)}
        </Code>
      )}
    </Stack>
  );
}
