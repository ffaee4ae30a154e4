import { Anchor, DataList, Text } from "@mantine/core";
import Link from "next/link";
import classes from "#components/audit/audit.module.css";
import { parseTickets } from "#components/audit/parse-tickets.ts";
import { describeEffect, isEffective } from "#components/ui/audit-items.tsx";
import { classifyAction } from "#components/ui/classify-state.ts";
import { Fact } from "#components/ui/fact.tsx";
import { formatExact } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { auditHref, rolloutHref, runHref } from "#lib/client/rollout-path.ts";
import type { Action } from "#lib/contract/action.ts";
import type { AuditDetail } from "#lib/contract/audit.ts";
import { formatObserved, readObserved } from "#lib/domain/audit/observed-rules.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** Shows who did it, when and to what. */
export function EntryFacts({ entry, action }: { entry: AuditDetail; action: Action | undefined }) {
  const { time, actor, code, target } = entry;
  const rollout = asRollout(target);
  const tickets = parseTickets(entry.detail?.tickets);
  return (
    <DataList gap="xs" labelWidth="8rem" className={classes.facts}>
      <Fact label="When">
        <time dateTime={time} title={time} suppressHydrationWarning>
          {formatExact(time)}
        </time>
        <Text span size="sm" c="dimmed">
          , <RelativeTime at={time} />
          {isEffective(entry) && `, ${describeEffect(entry.effect, entry.outcome)}`}
        </Text>
      </Fact>
      <Fact label="Who">
        {actor.name}
        {actor.token !== undefined && `, by token ${actor.token.name}`}
        {actor.issuer !== undefined && (
          <Text span size="sm" c="dimmed">
            {" "}
            ({actor.subject === undefined || actor.subject === actor.name ? "" : `${actor.subject} at `}
            {actor.issuer})
          </Text>
        )}
      </Fact>
      <PersonFacts entry={entry} />
      {tickets.length > 0 && (
        <Fact label={tickets.length === 1 ? "Ticket" : "Tickets"}>
          <HostileText text={tickets.join("; ")} />
        </Fact>
      )}
      <ObservedFact entry={entry} />
      {rollout !== undefined && (
        <Fact label="Rollout">
          <Anchor component={Link} href={rolloutHref(rollout)} inherit>
            {rollout.cluster} / {rollout.namespace}/{rollout.name}
          </Anchor>
        </Fact>
      )}
      {entry.overridden !== null && (
        <Fact label="Overrode">
          <Anchor component={Link} href={runHref(entry.overridden.uid)} inherit>
            {entry.overridden.name}
          </Anchor>
          {code === "cluster.terminate" ? ", which it ended" : ", which had ended Inconclusive"}
        </Fact>
      )}
      {action !== undefined && (
        <Fact label="Action">
          <StateBadge shown={classifyAction(action)} size="sm" variant="plain" />
          <ActionEntries action={action} />
          {action.message !== "" && (
            <>
              {" "}
              <HostileText text={action.message} />
              {action.state === "not-effective" && !action.final && " Gatehouse is still watching it."}
            </>
          )}
        </Fact>
      )}
    </DataList>
  );
}

/** Shows by which event and request it was recorded. */
export function RecordFacts({ entry: { code, source, requestId } }: { entry: AuditDetail }) {
  return (
    <DataList gap="xs" labelWidth="8rem" my="xs" className={classes.facts}>
      <Fact label="Event">
        <code>{code}</code>, {sourceWords[source]}
      </Fact>
      <Fact label="Request">
        <code>{requestId}</code>
      </Fact>
    </DataList>
  );
}

/** Says what the rules that only observe would have decided. */
function ObservedFact({ entry: { detail } }: { entry: AuditDetail }) {
  const observed = readObserved(detail?.observed);
  if (observed.length === 0) return null;
  return (
    <Fact label="Observed">
      <HostileText text={observed.map(formatObserved).join(" ")} />
    </Fact>
  );
}

/** Shows the two linked entries: the request, and its result. */
function ActionEntries({ action: { auditSeq, outcomeSeq } }: { action: Action }) {
  return (
    <>
      {auditSeq !== null && (
        <>
          {", requested in entry "}
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

const sourceWords = { gatehouse: "through Gatehouse", cluster: "outside Gatehouse", system: "by Gatehouse itself" };

function asRollout(target: AuditDetail["target"]): ObjectRef | undefined {
  const { cluster, namespace, kind, name } = target ?? {};
  if (cluster === undefined || namespace === undefined || kind === undefined || name === undefined) return undefined;
  return { cluster, namespace, kind, name };
}

/** Shows who changed something in the cluster, as its API server audited it, and the other entry that belongs to it. */
function PersonFacts({ entry }: { entry: AuditDetail }) {
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
