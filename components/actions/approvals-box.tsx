"use client";

import { Anchor, Button, Text, Title } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useState } from "react";
import classes from "#components/actions/approvals.module.css";
import { describeAsk } from "#components/actions/assess-ask.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { ErrorNotice } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useOpenApprovals } from "#lib/client/approval-queries.ts";
import { describeProgress, nameApproversOf } from "#lib/client/describe-approval.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import type { Approval, ApprovalDecision } from "#lib/contract/approval.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";

/** Shows open requests for a second person on one rollout; renders nothing if there are none. */
export function RolloutApprovals({ rollout }: { rollout: RolloutSummary }) {
  const { items, error, retry } = useOpenApprovals(rollout);
  if (items === undefined) {
    return error === null ? null : (
      <ErrorNotice what="Requests for approval of this rollout" error={error} onRetry={retry} />
    );
  }
  // While the page switches rollouts, the last answer still holds the previous rollout's requests.
  const own = items.filter((approval) => approval.rollout.id === rollout.id);
  return <ApprovalList title="Approval requested" id="rollout-approvals" approvals={own} linksRollout={false} />;
}

/** Shows the requests from all rollouts that the reader can decide, above the rows that any user can answer. */
export function InboxApprovals() {
  const { items, error, retry } = useOpenApprovals();
  if (items === undefined) {
    return error === null ? null : <ErrorNotice what="Requests for approval" error={error} onRetry={retry} />;
  }
  const mine = items.filter(({ decidable }) => decidable);
  return <ApprovalList title="Waiting for your approval" id="inbox-approvals" approvals={mine} linksRollout />;
}

type ApprovalListProps = { title: string; id: string; approvals: readonly Approval[]; linksRollout: boolean };

function ApprovalList({ title, id, approvals, linksRollout }: ApprovalListProps) {
  if (approvals.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} className={classes.title}>
        {title}
      </Title>
      <ul className={classes.list}>
        {approvals.map((approval) => (
          <ApprovalRow key={approval.id} approval={approval} linksRollout={linksRollout} />
        ))}
      </ul>
    </section>
  );
}

const DecisionDialog = dynamic(
  () => import("#components/actions/decision-dialog.tsx").then((module) => module.DecisionDialog),
  { ssr: false },
);

type Decision = ApprovalDecision["decision"];

type ApprovalRowProps = {
  approval: Approval;
  /** In the inbox, the rollout's name links to it. */
  linksRollout?: boolean;
};

/**
 * Shows a request, such as "oncall asks to fully promote payments/checkout: reason; expires in 42 min", with the
 * possible answers.
 */
export function ApprovalRow({ approval, linksRollout = false }: ApprovalRowProps) {
  const [decision, setDecision] = useState<Decision>();
  const { agent, decidable, withdrawable, state, reason, expiresAt, rollout, rule } = approval;
  const progress =
    state === "approved" ? `Approved by ${nameApproversOf(approval)}, not used yet.` : describeProgress(approval);
  const { who, asks, target, detail } = describeAsk(approval);
  const button = (choice: Decision, label: string, isFirst = false) => (
    <Button
      size="xs"
      variant={isFirst ? "filled" : "default"}
      aria-label={`${label}: ${asks.replace(/^(?:asks?|proposes) to /, "")} ${target}`}
      onClick={() => setDecision(choice)}
    >
      {label}
    </Button>
  );
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <Text size="sm">
          <strong>{who}</strong> {asks}{" "}
          {linksRollout ? (
            <Anchor component={Link} href={rolloutHref(rollout)} inherit fw={600}>
              {target}
            </Anchor>
          ) : (
            <strong>{target}</strong>
          )}
          {detail} · <em>{<HostileText text={reason} />}</em>
        </Text>
        <Text size="xs" c="dimmed">
          {agent === null ? `${progress} Rule "${rule}" in ${rollout.cluster}.` : `In ${rollout.cluster}.`} Expires{" "}
          <RelativeTime at={expiresAt} />.
        </Text>
      </div>
      <span className={classes.buttons}>
        {decidable && button("approve", agent === null ? "Approve" : "Accept", true)}
        {decidable && button("reject", agent === null ? "Reject" : "Decline")}
        {withdrawable && button("withdraw", "Withdraw")}
      </span>
      {decision !== undefined && (
        <DecisionDialog approval={approval} decision={decision} onClose={() => setDecision(undefined)} />
      )}
    </li>
  );
}
