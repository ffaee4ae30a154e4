"use client";

import { Anchor, Skeleton, Stack, Text } from "@mantine/core";
import Link from "next/link";
import classes from "#components/admin/admin.module.css";
import { AdminFrame, ConfigPath, ObservedMark } from "#components/admin/admin-frame.tsx";
import { describeCounts, describePolicy, protectiveNote, quotePolicyTimes } from "#components/admin/describe-policy.ts";
import { ReplaySection } from "#components/admin/policy-replay.tsx";
import { IconGavel } from "#components/ui/icons.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { Section } from "#components/ui/section.tsx";
import { policyAuditHref } from "#lib/client/admin-href.ts";
import { useAdminPolicies } from "#lib/client/admin-queries.ts";
import type { AdminPolicies, AdminPolicy } from "#lib/contract/admin.ts";
import { formatCountOf } from "#lib/util/words.ts";

const kinds = [
  { kind: "freeze", title: "Freezes and release windows" },
  { kind: "second-person", title: "Two people" },
  { kind: "reason", title: "Reasons" },
] as const;

/** Shows each policy in words, with how often it was felt in the last 30 days. */
export function PoliciesPage() {
  const query = useAdminPolicies();
  return (
    <AdminFrame title="Policies">
      <QueryView what="The policies" query={query} skeleton={<Skeleton height={300} aria-hidden="true" />}>
        {(answer) => <Policies answer={answer} />}
      </QueryView>
    </AdminFrame>
  );
}

function Policies({ answer }: { answer: AdminPolicies }) {
  const { policies, since, complete, withoutReason, unnamed } = answer;
  return (
    <Stack gap="lg">
      {policies.length === 0 && (
        <NothingHere
          icon={<IconGavel size={40} stroke={1.2} />}
          title="No policies"
          hint="The config has no policies: there are no freezes, no action needs a second person, and only protective actions need no reason."
        />
      )}
      {kinds.map(({ kind, title }) => {
        const own = policies.filter((policy) => policy.kind === kind);
        if (own.length === 0) return null;
        return (
          <Section key={kind} id={kind} title={title}>
            <ul className={classes.cards} aria-labelledby={kind}>
              {own.map((policy) => (
                <li key={policy.path} className={classes.card}>
                  <Policy policy={policy} since={since} />
                </li>
              ))}
            </ul>
          </Section>
        );
      })}
      <Text size="sm" className={classes.words}>
        {protectiveNote} Without a rule, every other action needs a reason.{" "}
        {withoutReason === 0
          ? "No action was refused for lack of a reason."
          : `${withoutReason} ${withoutReason === 1 ? "action was" : "actions were"} refused for lack of a reason.`}
      </Text>
      <ReplaySection policies={policies} />
      <Text size="sm" c="dimmed" className={classes.words}>
        Counts are of the last 30 days{complete ? "" : ", but only of the newest 50,000 entries of the audit log"}. They
        may be low: at most 10 refusals per person, place and minute are recorded.
        {unnamed > 0 &&
          ` Not counted: ${formatCountOf(unnamed, "refusal")} by a policy that is no longer in the config.`}
      </Text>
    </Stack>
  );
}

function Policy({ policy, since }: { policy: AdminPolicy; since: string }) {
  const counts = describeCounts(policy);
  const isFelt = policy.counts !== null && Object.values(policy.counts).some((count) => (count ?? 0) > 0);
  return (
    <>
      {policy.name !== null && (
        <Text fw={600} component="h3">
          <bdi>{policy.name}</bdi>
          <ObservedMark mode={policy.mode} />
        </Text>
      )}
      <Text size="sm">
        <bdi title={quotePolicyTimes(policy)}>{describePolicy(policy)}</bdi>
        {policy.name === null && <ObservedMark mode={policy.mode} />}
      </Text>
      <Text size="sm" c="dimmed">
        {counts !== undefined && <>{counts} · </>}
        {isFelt && (
          <>
            <Anchor
              component={Link}
              href={policyAuditHref({ policy: policy.name ?? policy.path, from: since })}
              inherit
            >
              Entries in the audit log
            </Anchor>{" "}
            ·{" "}
          </>
        )}
        <ConfigPath path={policy.path} />
      </Text>
    </>
  );
}
