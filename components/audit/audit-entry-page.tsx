"use client";

import { Anchor, Code, DataList, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconZoomQuestion } from "@tabler/icons-react";
import Link from "next/link";
import classes from "#components/audit/audit.module.css";
import { Evidence } from "#components/audit/evidence.tsx";
import { AuditEffect } from "#components/ui/audit-items.tsx";
import { AuditSentence } from "#components/ui/audit-sentence.tsx";
import { classifyAction, classifyOutcome } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { StateIcon } from "#components/ui/state-icon.tsx";
import { useAction } from "#lib/client/action-queries.ts";
import { ApiError } from "#lib/client/api-error.ts";
import { useAuditEntry } from "#lib/client/audit-queries.ts";
import { auditHref, type RolloutName, rolloutHref } from "#lib/client/rollout-path.ts";
import type { Action } from "#lib/contract/action.ts";
import type { AuditDetail } from "#lib/contract/audit.ts";

export function AuditEntryPage({ seq }: { seq: number }) {
  const { data, error, refetch } = useAuditEntry(seq);
  if (data === undefined && error instanceof ApiError && error.code === "not_found") {
    return (
      <NothingHere
        icon={<IconZoomQuestion size={40} stroke={1.2} />}
        title={`There is no audit entry ${seq}`}
        hint="The log has no gaps: it ends before this number."
      />
    );
  }
  return (
    <QueryView
      what="The audit entry"
      data={data}
      error={error}
      retry={() => void refetch()}
      skeleton={<Skeleton height={320} aria-hidden="true" />}
    >
      {(entry) => <EntryView entry={entry} />}
    </QueryView>
  );
}

function EntryView({ entry }: { entry: AuditDetail }) {
  const { detail } = entry;
  const shown = classifyOutcome(entry.outcome);
  const action = useAction(entry.actionId ?? "", entry.actionId !== undefined).data;
  // The evidence lies with the intent; the entry of the outcome shows the same one.
  const intentSeq = action?.auditSeq ?? entry.seq;
  const intent = useAuditEntry(intentSeq, intentSeq !== entry.seq).data;
  const evidence = entry.evidence ?? intent?.evidence;
  return (
    <Stack gap="lg">
      <header className={classes.header}>
        {shown !== undefined && <StateBadge shown={shown} />}
        <Title order={1} className={classes.sentence}>
          <AuditSentence item={entry} />
          <AuditEffect item={entry} />
        </Title>
      </header>
      <EntryFacts entry={entry} action={action} />
      {evidence !== null && evidence !== undefined && (
        <section aria-labelledby="evidence">
          <Title order={2} id="evidence" mb="xs">
            What was seen at that moment
          </Title>
          <Evidence evidence={evidence} />
        </section>
      )}
      {detail !== undefined && (
        <section aria-labelledby="detail">
          <Title order={2} id="detail" mb="xs">
            What was sent and answered
          </Title>
          <Code block className={classes.code}>
            {JSON.stringify(detail, null, 2)}
          </Code>
        </section>
      )}
      <ChainLink entry={entry} />
    </Stack>
  );
}

function EntryFacts({ entry, action }: { entry: AuditDetail; action: Action | undefined }) {
  const { time, actor, source, code, reason, target, requestId, intentSeq } = entry;
  const rollout = asRollout(target);
  return (
    <DataList gap="xs" labelWidth="8rem" className={classes.facts}>
      <Fact label="When">
        <RelativeTime at={time} />{" "}
        <Text span size="sm" c="dimmed">
          ({time})
        </Text>
      </Fact>
      <Fact label="Who">
        {actor.name}
        {actor.token !== undefined && `, by token ${actor.token.name}`}
        {actor.issuer !== undefined && (
          <Text span size="sm" c="dimmed">
            {" "}
            {actor.subject} at {actor.issuer}
          </Text>
        )}
      </Fact>
      {reason !== undefined && <Fact label="Why">{reason}</Fact>}
      {rollout !== undefined && (
        <Fact label="Rollout">
          <Anchor component={Link} href={rolloutHref(rollout)} inherit>
            {rollout.cluster} / {rollout.namespace}/{rollout.name}
          </Anchor>
        </Fact>
      )}
      {action !== undefined && (
        <Fact label="Action">
          <StateBadge shown={classifyAction(action.state)} size="sm" variant="plain" />
          <ActionEntries action={action} />
          {action.message !== "" && (
            <>
              {" "}
              <HostileText text={action.message} />
            </>
          )}
        </Fact>
      )}
      <Fact label="Event">
        <code>{code}</code>, {sourceWords[source]}
      </Fact>
      {intentSeq !== null && (
        <Fact label="Asked in">
          <Anchor component={Link} href={auditHref(intentSeq)} inherit>
            entry {intentSeq}
          </Anchor>
        </Fact>
      )}
      <Fact label="Request">
        <code>{requestId}</code>
      </Fact>
    </DataList>
  );
}

/** The two entries that belong together: what was asked, and what came of it. */
function ActionEntries({ action: { auditSeq, outcomeSeq } }: { action: Action }) {
  return (
    <>
      {auditSeq !== null && (
        <>
          {", asked in entry "}
          <Anchor component={Link} href={auditHref(auditSeq)} inherit>
            {auditSeq}
          </Anchor>
        </>
      )}
      {outcomeSeq !== null && (
        <>
          {", outcome in entry "}
          <Anchor component={Link} href={auditHref(outcomeSeq)} inherit>
            {outcomeSeq}
          </Anchor>
        </>
      )}
      .
    </>
  );
}

const sourceWords = { gatehouse: "through Gatehouse", cluster: "outside of Gatehouse", system: "by Gatehouse itself" };

function asRollout(target: AuditDetail["target"]): RolloutName | undefined {
  const { cluster, namespace, kind, name } = target ?? {};
  if (cluster === undefined || namespace === undefined || kind === undefined || name === undefined) return undefined;
  return { cluster, namespace, kind, name };
}

function ChainLink({ entry }: { entry: AuditDetail }) {
  const { seq, previousHash, entryHash, hash, linkOk, evidenceDigest } = entry;
  return (
    <section aria-labelledby="chain">
      <Title order={2} id="chain" mb="xs">
        Link of the chain
      </Title>
      <p className={classes.check}>
        <StateIcon state={linkOk ? "successful" : "failed"} />{" "}
        {linkOk
          ? "The hashes follow from the text below and from the entry before."
          : "The hashes do not follow from the text: this entry was changed after it was written."}
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
        </Fact>
        <Fact label="Hash">
          <code className={classes.hash}>{hash}</code>
        </Fact>
        {evidenceDigest !== undefined && (
          <Fact label="Evidence">
            <code className={classes.hash}>{evidenceDigest}</code>
          </Fact>
        )}
      </DataList>
      <Code block className={classes.code} mt="sm">
        {entry.entry}
      </Code>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}
