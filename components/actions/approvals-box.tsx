"use client";

import { Title } from "@mantine/core";
import { ApprovalRow } from "#components/actions/approval-row.tsx";
import classes from "#components/actions/approvals.module.css";
import { ErrorNotice } from "#components/ui/query-view.tsx";
import { useOpenApprovals } from "#lib/client/approval-queries.ts";
import type { Approval } from "#lib/contract/approval.ts";
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
