"use client";

import { Anchor, DataList, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import Link from "next/link";
import classes from "#components/audit/audit.module.css";
import { EntryFacts, RecordFacts } from "#components/audit/entry-facts.tsx";
import { Evidence } from "#components/audit/evidence.tsx";
import { Folded, RecordedText } from "#components/audit/folded.tsx";
import { parseSent } from "#components/audit/parse-sent.ts";
import { AuditEffect, isEffective } from "#components/ui/audit-items.tsx";
import { AuditSentence } from "#components/ui/audit-sentence.tsx";
import { classifyOutcome } from "#components/ui/classify-state.ts";
import { CopyText } from "#components/ui/copy-text.tsx";
import { Fact } from "#components/ui/fact.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconLink } from "#components/ui/icons.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { Section } from "#components/ui/section.tsx";
import { StateBadge, StateIcon } from "#components/ui/state-badge.tsx";
import { useAction } from "#lib/client/action-queries.ts";
import { useAuditEntry } from "#lib/client/audit-queries.ts";
import { ownUrl } from "#lib/client/base-path.ts";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AuditDetail } from "#lib/contract/audit.ts";

export function AuditEntryPage({ seq }: { seq: number }) {
  const query = useAuditEntry(seq);
  return (
    <QueryView
      what="The audit entry"
      query={query}
      missing={{ title: `No audit entry ${seq}`, hint: "The log ends before this number.", list: "audit" }}
      skeleton={<Skeleton height={320} aria-hidden="true" />}
    >
      {(entry) => <EntryView entry={entry} />}
    </QueryView>
  );
}

function EntryView({ entry }: { entry: AuditDetail }) {
  const { detail, evidence } = entry;
  const shown = classifyOutcome(entry.outcome);
  const action = useAction(entry.actionId ?? "", entry.actionId !== undefined).data;
  return (
    <Stack gap="lg">
      <header className={classes.header}>
        {shown !== undefined && <StateBadge shown={shown} />}
        <EntryTitle entry={entry} />
        <Permalink seq={entry.seq} />
      </header>
      <EntryFacts entry={entry} action={action} />
      {evidence !== null && evidence !== undefined && (
        <Section id="evidence" title="Evidence at that moment">
          <Evidence entry={entry} />
        </Section>
      )}
      <SentPatches entry={entry} />
      <Folded title={<Title order={2}>Details as recorded</Title>}>
        <RecordFacts entry={entry} />
        {detail !== undefined && <RecordedText>{JSON.stringify(detail, null, 2)}</RecordedText>}
      </Folded>
      <ChainLink entry={entry} />
    </Stack>
  );
}

/** Shows the act as a sentence, and the reason below as the person wrote it. */
export function EntryTitle({ entry }: { entry: AuditDetail }) {
  const { reason = "" } = entry;
  return (
    <div className={classes.title}>
      <Title order={1}>
        <AuditSentence item={entry} hasReason={false} />
        {!isEffective(entry) && <AuditEffect item={entry} />}
      </Title>
      {reason !== "" && (
        <Text mt={4}>
          <HostileText text={`“${reason}”`} />
        </Text>
      )}
    </div>
  );
}

/** Shows the address of an entry, for a ticket or a post-mortem: entries are never renumbered. */
function Permalink({ seq }: { seq: number }) {
  const isMounted = useMounted();
  if (!isMounted) return null;
  return (
    <CopyText
      text={ownUrl() + auditHref(seq)}
      label="Copy link"
      size="xs"
      leftSection={<IconLink size={14} aria-hidden="true" />}
    />
  );
}

/** Shows the entry's position in the chain, and whether its own link is valid. */
function ChainLink({ entry }: { entry: AuditDetail }) {
  const { seq, previousHash, entryHash, hash, linkOk, evidenceDigest } = entry;
  return (
    <Section id="chain" title="Chain link">
      <p className={classes.check}>
        <StateIcon state={linkOk ? "successful" : "failed"} />{" "}
        {linkOk
          ? "The hashes match the text below and the previous entry."
          : "The hashes do not match the text: this entry was changed after it was written."}
      </p>
      <DataList gap="xs" labelWidth="8rem" className={classes.facts}>
        <Fact label="Entry">
          {seq}
          {seq > 1 && (
            <>
              , after{" "}
              <Anchor component={Link} href={auditHref(seq - 1)} inherit>
                {seq - 1}
              </Anchor>
            </>
          )}
        </Fact>
        <Fact label="Previous hash">
          <code className={classes.hash}>{previousHash}</code>
        </Fact>
        <Fact label="Entry hash">
          <code className={classes.hash}>{entryHash}</code>
          <HashNote>of the text below</HashNote>
        </Fact>
        <Fact label="Hash">
          <code className={classes.hash}>{hash}</code>
          <HashNote>of both above; repeated in the next entry</HashNote>
        </Fact>
        {evidenceDigest !== undefined && (
          <Fact label="Evidence">
            <code className={classes.hash}>{evidenceDigest}</code>
          </Fact>
        )}
      </DataList>
      <Folded title="Hashed text">
        <RecordedText>{entry.entry}</RecordedText>
      </Folded>
    </Section>
  );
}

function HashNote({ children }: { children: React.ReactNode }) {
  return (
    <Text size="xs" c="dimmed">
      {children}
    </Text>
  );
}

/** Shows the patches of an action's outcome as the cluster got them; for older entries, the planned ones. */
function SentPatches({ entry }: { entry: AuditDetail }) {
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
              <RecordedText>{JSON.stringify(body, null, 2)}</RecordedText>
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
      {planned !== undefined && <RecordedText>{JSON.stringify(planned, null, 2)}</RecordedText>}
    </Stack>
  );
}
