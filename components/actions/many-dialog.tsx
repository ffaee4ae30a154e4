"use client";

import { Anchor, Checkbox, Skeleton, Text } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";
import classes from "#components/actions/many.module.css";
import { type SplitMembers, splitMembers } from "#components/actions/split-members.ts";
import { createRequestKeys } from "#components/actions/use-action-request.ts";
import { describeMissingTickets, mergeTickets } from "#components/ui/describe-tickets.ts";
import { ReasonField } from "#components/ui/dialog-parts.tsx";
import { describeEvidence } from "#components/ui/evidence-line.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { wordTimes } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { bindMember, type ReadyMember } from "#lib/client/group-plan.ts";
import { actionGroupHref, useActOnMany, useGroupPlan } from "#lib/client/set-queries.ts";
import type { GroupActionName } from "#lib/contract/action-group.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { entryOf, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isBlank } from "#lib/util/text.ts";
import { formatCount } from "#lib/util/words.ts";

type ManyDialogProps = {
  action: GroupActionName;
  /** As they were when they were chosen. */
  rollouts: readonly RolloutSummary[];
  of: string | undefined;
  onClose: () => void;
};

/**
 * Shows the effect of one action on each chosen rollout, then asks for confirmation. Each request is bound to the state
 * on screen, which does not change by itself: Gatehouse refuses a rollout that has moved on.
 */
export function ManyDialog({ action, rollouts, of, onClose }: ManyDialogProps) {
  // Another opening of the dialog must not show the plan of this one.
  const [openedMs] = useState(() => Date.now());
  const [round, setRound] = useState(0);
  const members = rollouts.map(({ cluster, namespace, kind, name }) => ({ cluster, namespace, kind, name }));
  const query = useGroupPlan({ action, members }, [openedMs, action, round]);
  const split = query.data && splitMembers(rollouts, query.data.items);
  const [includesMoved, setIncludesMoved] = useState(false);
  const [reason, setReason] = useState("");
  const [isSent, setSent] = useState(false);
  const [keys] = useState(createRequestKeys);
  const act = useActOnMany();
  const router = useRouter();
  const { label } = entryOf(action);
  const taken = split === undefined ? [] : [...split.ready, ...(includesMoved ? split.moved : [])];
  const isReasonRequired = taken.some(({ plan }) => plan.needs.reason);
  const tickets = mergeTickets(taken.map(({ plan }) => plan.needs));

  function lookAgain(): void {
    setRound(round + 1);
    // Others may have changed by now: they are not the ones that were included.
    setIncludesMoved(false);
  }

  function confirm(): void {
    setSent(true);
    if (taken.length === 0 || (isReasonRequired && isBlank(reason))) return;
    if (describeMissingTickets(tickets, reason) !== undefined) return;
    const trimmed = reason.trim();
    const body = {
      action,
      ...(trimmed === "" ? {} : { reason: trimmed }),
      ...(of === undefined ? {} : { of }),
      members: taken.map(bindMember),
    };
    const idempotencyKey = keys.keyOf(JSON.stringify(body));
    act.mutate(
      { body, idempotencyKey },
      { onSuccess: ({ seq }) => router.push(actionGroupHref(seq)), onError: keys.noteFailure },
    );
  }

  return (
    <FormDialog
      title={`${label}: ${formatCount(rollouts.length)} chosen${of === undefined ? "" : ` of ${of}`}`}
      size="lg"
      request={act}
      onSubmit={confirm}
      onClose={onClose}
      label={`${label} ${formatCount(taken.length)} ${taken.length === 1 ? "rollout" : "rollouts"}`}
      errorTitle="No rollout was acted on, unless the answer was lost"
      isDisabled={taken.length === 0}
      isDanger={isProtective(action)}
      obstacle={split !== undefined && taken.length === 0 ? "None of them allows it now." : undefined}
    >
      <QueryView what="The plan" query={query} skeleton={<Skeleton height={160} />}>
        {() =>
          split === undefined ? null : (
            <>
              <Taken members={taken} />
              <Moved split={split} isOn={includesMoved} onChange={setIncludesMoved} />
              <Blocked blocked={split.blocked} />
              <Text size="sm" c="dimmed">
                Rollouts that change before their turn are refused, and the others go on.{" "}
                <Anchor component="button" type="button" inherit onClick={lookAgain}>
                  Look again
                </Anchor>
              </Text>
            </>
          )
        }
      </QueryView>
      <ReasonField
        value={reason}
        onChange={setReason}
        isRequired={isReasonRequired}
        tickets={tickets}
        isSent={isSent}
      />
    </FormDialog>
  );
}

function Taken({ members }: { members: readonly ReadyMember[] }) {
  if (members.length === 0) return null;
  const clusters = new Set(members.map(({ rollout }) => rollout.cluster)).size;
  return (
    <>
      <Text size="sm">
        {formatCount(members.length)} {members.length === 1 ? "rollout" : "rollouts"} in{" "}
        {clusters === 1 ? "one cluster" : `${formatCount(clusters)} clusters`}:
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
      <ul className={classes.members} aria-label="Rollouts to act on" tabIndex={0}>
        {members.map((member) => (
          <Member key={member.rollout.id} member={member} />
        ))}
      </ul>
    </>
  );
}

function Place({ rollout: { cluster, namespace, name } }: { rollout: ObjectRef }) {
  return (
    <>
      <strong>
        {namespace}/{name}
      </strong>{" "}
      <Text span c="dimmed" inherit>
        {cluster}
      </Text>
    </>
  );
}

/** Shows the effect on one rollout, with its worst metric. */
function Member({ member: { rollout, plan, evidence, sentence } }: { member: ReadyMember }) {
  return (
    <li className={classes.member}>
      <Place rollout={rollout} />{" "}
      <HostileText text={[plan.effect ?? "", ...(plan.warnings ?? [])].filter((text) => text !== "").join(" ")} />
      {plan.waives !== undefined && (
        <strong>
          {" "}
          <HostileText text={`Overrides ${plan.waives}.`} />
        </strong>
      )}
      {(evidence ?? sentence) !== null && (
        <Text size="xs" c="dimmed">
          <HostileText text={evidence === null ? (sentence ?? "") : describeEvidence(evidence)} />
        </Text>
      )}
    </li>
  );
}

type MovedProps = { split: SplitMembers; isOn: boolean; onChange: (isOn: boolean) => void };

function Moved({ split: { moved }, isOn, onChange }: MovedProps) {
  if (moved.length === 0) return null;
  const names = moved.map(({ rollout }) => `${rollout.namespace}/${rollout.name} in ${rollout.cluster}`);
  return (
    <Checkbox
      label={`Include ${formatCount(moved.length)} that changed since you chose ${moved.length === 1 ? "it" : "them"}`}
      description={names.join(", ")}
      checked={isOn}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

function Blocked({ blocked }: Pick<SplitMembers, "blocked">) {
  if (blocked.length === 0) return null;
  return (
    <details className={classes.fold}>
      <summary>{formatCount(blocked.length)} chosen cannot be acted on now</summary>
      <ul className={classes.members}>
        {blocked.map(({ rollout, why }) => (
          <li key={rollout.id} className={classes.member}>
            <Place rollout={rollout} /> <HostileText text={wordTimes(why)} />
          </li>
        ))}
      </ul>
    </details>
  );
}
