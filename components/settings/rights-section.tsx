"use client";

import { DataList, Paper, Skeleton, Text, Title } from "@mantine/core";
import { describeGrant } from "#components/settings/describe-grant.ts";
import classes from "#components/settings/settings.module.css";
import { Fact } from "#components/ui/fact.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useMe } from "#lib/client/system-queries.ts";
import type { Me } from "#lib/contract/system.ts";

const roleWords = {
  viewer: "Viewer: read-only access to everything in scope",
  operator: "Operator: may also act on rollouts in scope",
  admin: "Admin: may also verify the audit log, end any session and revoke any token",
};

/** Shows who the reader is to the server, and the identity used at each cluster. */
export function RightsSection() {
  const { data, error, refetch } = useMe();
  return (
    <section aria-labelledby="rights">
      <Title order={2} id="rights" mb="xs">
        What I may do
      </Title>
      <QueryView
        what="What you may do"
        data={data}
        error={error}
        retry={() => void refetch()}
        skeleton={<Skeleton height={160} aria-hidden="true" />}
      >
        {(me) => <Rights me={me} />}
      </QueryView>
    </section>
  );
}

function Rights({ me }: { me: Me }) {
  const { name, username, subject, issuer, role, groups, session, clusterIdentities, grants } = me;
  return (
    <Paper withBorder p="md">
      <DataList gap="xs" labelWidth="clamp(5.5rem, 28%, 9rem)">
        <Fact label="Signed in as">
          {name}{" "}
          <Text span size="sm" c="dimmed">
            {username === name ? subject : `${username}, ${subject}`} at {issuer}
          </Text>
        </Fact>
        <Fact label="Role">{roleWords[role]}</Fact>
        <Fact label="Where">
          <Grants grants={grants} />
        </Fact>
        <Fact label="Groups">
          <span className={classes.groups}>{groups.length === 0 ? "none" : groups.join(", ")}</span>
        </Fact>
        {session !== null && (
          <Fact label="This session">
            expires <RelativeTime at={session.idleExpiresAt} /> if idle, <RelativeTime at={session.absoluteExpiresAt} />{" "}
            at the latest
          </Fact>
        )}
        {clusterIdentities.map((identity) => (
          <Fact key={identity.cluster} label={identity.cluster}>
            <ClusterLine identity={identity} />
          </Fact>
        ))}
      </DataList>
    </Paper>
  );
}

/** Shows one line for each grant, with notes below it. */
export function Grants({ grants }: Pick<Me, "grants">) {
  if (grants.length === 0)
    return <>nowhere: the role bindings of this token and the rights of its owner do not overlap</>;
  return (
    <ul className={classes.grants}>
      {grants.map((grant) => {
        const { role, where, more } = describeGrant(grant);
        return (
          <li key={JSON.stringify(grant)}>
            <strong>{role}</strong> {where}
            {more.length > 0 && (
              <ul className={classes.more}>
                {more.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function ClusterLine({ identity }: { identity: Me["clusterIdentities"][number] }) {
  const { access, mode, username, groups, problem } = identity;
  const who = username === null ? "as an account whose name is still unknown" : `as ${username}`;
  const how = {
    groups: groups.length === 0 ? "without rights: none of your groups is sent" : "with the rights of these groups",
    user: "as a user of your own",
    serviceAccount: "with Gatehouse's own account",
  }[mode];
  return (
    <>
      {access === "read" ? "read-only" : "may be acted on"}, {who}
      {groups.length > 0 && ` (${groups.join(", ")})`}
      <Text span size="sm" c="dimmed">
        {" "}
        {how}
      </Text>
      {problem !== null && (
        <Text size="sm" c="var(--gh-orange-text)">
          {problem}
        </Text>
      )}
    </>
  );
}
