"use client";

import { DataList, Paper, Skeleton, Text } from "@mantine/core";
import classes from "#components/settings/settings.module.css";
import { Fact } from "#components/ui/fact.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { useMe } from "#lib/client/system-queries.ts";
import type { ActionName } from "#lib/contract/rollout.ts";
import type { Me, MyGrant } from "#lib/contract/system.ts";
import { actionNames, isProtective, quoteActions } from "#lib/domain/acting/action-catalogue.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";
import { isSame } from "#lib/util/diff-merge.ts";
import { formatList } from "#lib/util/words.ts";

const roleWords = {
  viewer: "Viewer: can view everything in scope",
  operator: "Operator: can view everything in scope and act on rollouts",
  admin: "Admin: can also end any session and revoke any token",
};

/** Shows who the reader is to the server, and the identity used at each cluster. */
export function RightsSection() {
  const query = useMe();
  return (
    <Section id="rights" title="What I may do">
      <QueryView what="What you may do" query={query} skeleton={<Skeleton height={160} aria-hidden="true" />}>
        {(me) => <Rights me={me} />}
      </QueryView>
    </Section>
  );
}

function Rights({ me }: { me: Me }) {
  const { name, username, subject, issuer, role, groups, teams, session, clusterIdentities, grants } = me;
  const own = teams.filter(({ isMine }) => isMine).map(({ name }) => name);
  const others = [...new Set([username, subject])].filter((each) => each !== name);
  return (
    <Paper withBorder p="md">
      <DataList gap="xs" labelWidth="clamp(5.5rem, 28%, 9rem)">
        <Fact label="Signed in as">
          {name}{" "}
          <Text span size="sm" c="dimmed">
            ({others.length === 0 ? issuer : `${others.join(", ")} at ${issuer}`})
          </Text>
        </Fact>
        <Fact label="Role">{roleWords[role]}</Fact>
        <Fact label="Where">
          <Grants grants={grants} />
        </Fact>
        <Fact label="Groups">
          <span className={classes.groups}>{groups.length === 0 ? "none" : groups.join(", ")}</span>
        </Fact>
        {own.length > 0 && (
          <Fact label="Teams">
            <span className={classes.groups}>{own.join(", ")}</span>
          </Fact>
        )}
        {session !== null && (
          <Fact label="This session">
            expires <RelativeTime at={session.idleExpiresAt} /> if idle, <RelativeTime at={session.absoluteExpiresAt} />{" "}
            at the latest
          </Fact>
        )}
        {clusterIdentities.map((identity) => (
          <Fact key={identity.cluster} label={`Cluster ${identity.cluster}`}>
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
  const who = username === null ? "an account whose name is still unknown" : username;
  const how = {
    groups: groups.length === 0 ? ", without rights: none of your groups is sent" : "",
    user: ", a user of your own",
    serviceAccount: ", Gatehouse's own account",
  }[mode];
  return (
    <>
      {access === "read" ? "read-only, as" : "acts as"} {who}
      {how}
      {groups.length > 0 && `, with ${groups.length === 1 ? "group" : "groups"} ${formatList(groups)}`}
      {problem !== null && (
        <Text size="sm" c="var(--gh-orange-text)">
          {problem}
        </Text>
      )}
    </>
  );
}

const roleNames = { viewer: "Viewer", operator: "Operator", admin: "Admin" } as const satisfies Record<
  MyGrant["role"],
  string
>;

type GrantWords = { role: string; where: string; more: string[] };

/** Describes a grant: "Operator", "in accounts/* of cluster prod", and further notes. */
export function describeGrant(grant: MyGrant): GrantWords {
  const { role, scope, actions, breakGlass, through, secondPerson } = grant;
  return {
    role: roleNames[role],
    where: describeScope(scope),
    more: [
      ...(role === "viewer" || actions.includes("*") ? [] : [`only ${formatList(actions)}`]),
      ...secondPerson.map((need) => describeNeed(need, grant)),
      ...(breakGlass ? ["can override a freeze (break-glass), with a reason and a fresh sign-in"] : []),
      ...(through === "token" ? ["granted to this token by the config"] : []),
    ],
  };
}

function describeNeed(
  { rule, actions, scope, expireMinutes, approvers }: MyGrant["secondPerson"][number],
  grant: MyGrant,
): string {
  const verb = actions.length === 1 || isNearlyAll(actions, grant) ? "requires" : "require";
  const place = isSame(scope, grant.scope) ? "" : ` ${describeScope(scope)}`;
  return `${nameActions(actions, grant)} ${verb} ${approvers}${place} (${rule}, within ${expireMinutes} min)`;
}

function nameActions(actions: readonly ActionName[], grant: MyGrant): string {
  if (!isNearlyAll(actions, grant)) return quoteActions(actions);
  const others = othersOf(actions);
  return others.length === 0 ? "every action" : `every action except ${quoteActions(others)}`;
}

/** Rules usually except the protective actions: more exceptions than these are not worth naming. */
const maxOthers = actionNames.filter(isProtective).length;

function isNearlyAll(actions: readonly ActionName[], grant: MyGrant): boolean {
  return grant.actions.includes("*") && othersOf(actions).length <= maxOthers;
}

function othersOf(actions: readonly ActionName[]): ActionName[] {
  return actionNames.filter((name) => !actions.some((action) => action === name));
}
