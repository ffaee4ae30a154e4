"use client";

import { Anchor, Skeleton, Text } from "@mantine/core";
import Link from "next/link";
import { classifyAction } from "#components/ui/classify-state.ts";
import { CutText, HostileText } from "#components/ui/hostile-text.tsx";
import { HoverLink } from "#components/ui/hover-link.tsx";
import { type Column, ItemTable } from "#components/ui/item-table.tsx";
import { PageTitle, usePageTitle } from "#components/ui/page-title.tsx";
import { PlaceName } from "#components/ui/place-name.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { auditHref, rolloutHref } from "#lib/client/rollout-path.ts";
import { useActionGroup } from "#lib/client/set-queries.ts";
import type { ActionGroup } from "#lib/contract/action-group.ts";
import { capital } from "#lib/util/words.ts";

type Member = ActionGroup["members"][number];

/** Shows how one action on many rollouts goes on and ends, member by member. */
export function ActionGroupPage({ seq }: { seq: number }) {
  usePageTitle(`Action ${seq}`);
  const query = useActionGroup(seq);
  return (
    <QueryView
      what="The action"
      query={query}
      missing={{ title: `No action on many rollouts has the number ${seq}`, list: "rollouts" }}
      skeleton={<Skeleton height={320} />}
    >
      {(group) => <GroupView group={group} />}
    </QueryView>
  );
}

/** Refused members first, then those without an outcome. */
const order: readonly Member["state"][] = [
  "refused",
  "partial",
  "unknown",
  "not-effective",
  "requested",
  "applied",
  "effective",
];

function GroupView({ group }: { group: ActionGroup }) {
  const { seq, sentence, actor, requestedAt, reason, members, running } = group;
  const sorted = members.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
  return (
    <>
      <PageTitle>
        <HostileText text={capital(sentence)} />
      </PageTitle>
      <Text mb="sm">
        <bdi>{actor}</bdi>, <RelativeTime at={requestedAt} />
        {reason !== null && (
          <>
            : <HostileText text={`“${reason}”`} />
          </>
        )}
        {" · "}
        <Anchor component={Link} href={auditHref(seq)} inherit>
          Audit entry {seq}
        </Anchor>
      </Text>
      <Text role="status" size="sm" mb="sm" c="dimmed">
        {running ? "In progress." : "Every rollout has an outcome."}
      </Text>
      <ItemTable
        caption="Rollouts"
        columns={columns}
        rows={sorted.map((item) => ({ key: item.rollout.id, item, isGone: false }))}
        card={(member) => <Card member={member} />}
      />
    </>
  );
}

function MemberState({ member: { state, final } }: { member: Member }) {
  return <StateBadge shown={classifyAction({ state, final })} size="sm" />;
}

function Card({ member }: { member: Member }) {
  return (
    <>
      <MemberState member={member} />
      <Text component="div" fw={600} mt={6}>
        <Place member={member} />
      </Text>
      <Text size="sm" c="dimmed">
        {member.rollout.cluster}
      </Text>
      <Text size="sm">
        <HostileText text={member.message} />
      </Text>
    </>
  );
}

function Place({ member: { rollout } }: { member: Member }) {
  return <PlaceName href={rolloutHref(rollout)} namespace={rollout.namespace} name={rollout.name} />;
}

const columns: readonly Column<Member>[] = [
  { key: "state", header: "Outcome", width: "18%", cell: (member) => <MemberState member={member} /> },
  { key: "name", header: "Rollout", width: "24%", isName: true, cell: (member) => <Place member={member} /> },
  {
    key: "cluster",
    header: "Cluster",
    width: "14%",
    cell: ({ rollout: { cluster } }) => <CutText title={cluster}>{cluster}</CutText>,
  },
  { key: "message", header: "Message", width: "34%", cell: ({ message }) => <HostileText text={message} /> },
  {
    key: "audit",
    header: "Audit",
    width: "10%",
    align: "right",
    cell: ({ auditSeq, outcomeSeq }) => {
      const entry = outcomeSeq ?? auditSeq;
      return entry === null ? (
        ""
      ) : (
        <Anchor component={HoverLink} href={auditHref(entry)} inherit>
          {entry}
        </Anchor>
      );
    },
  },
];
