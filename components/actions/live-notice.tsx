"use client";

import { Alert, Button, Group, Stack, Table, Text } from "@mantine/core";
import { arrangeActions } from "#components/actions/act-target.ts";
import classes from "#components/actions/actions.module.css";
import { type ChangeRow, describeChanges } from "#components/actions/describe-changes.ts";
import { type Conflict, describeMove, listChanges } from "#components/actions/live-changes.ts";
import type { LiveView } from "#components/actions/use-live-view.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { nameVersion } from "#lib/client/describe-images.ts";
import type { AllowedAction, ReleaseAct } from "#lib/contract/rollout.ts";

type LiveNoticeProps = {
  live: LiveView;
  isStale: boolean;
  /** The click was refused because of these changes. */
  conflict: Conflict | undefined;
  isBlocked: boolean;
  asked: AllowedAction;
  onTake: (action: AllowedAction) => void;
};

/** Changes to the effect of the action, although the view is the same. */
const planFields: readonly string[] = ["passesPauses", "targetVersion"];

/** Shows what happened to the rollout while the dialog is open; renders nothing if nothing did. */
export function LiveNotice({ live, isStale, conflict, isBlocked, asked, onTake }: LiveNoticeProps) {
  const { now, seen, verdict, act } = live;
  const planChange = conflict?.changes.find(({ field }) => planFields.includes(field))?.text;
  const move = planChange ?? (now === undefined ? (conflict?.detail ?? "") : describeMove(seen, now));
  if (conflict === undefined && verdict === "moved") {
    return (
      <Text size="sm" c="var(--gh-orange-text)" role="status">
        <StaleStory act={act} move={move} /> {asked.label} still applies to this version.
      </Text>
    );
  }
  if (conflict === undefined && !isStale) return null;
  const changes =
    conflict !== undefined && !isStale ? conflict.changes : now === undefined ? [] : listChanges(seen, now);
  const rows = describeChanges(changes, {
    versionOf: (hash) => (now === undefined ? hash : nameVersion(now, hash)),
    stepCount: now?.stepCount ?? 0,
  });
  // After a refused click, the button itself asks again; before one, the person first switches to the current state.
  const isOffered = isStale || isBlocked;
  const actions = isOffered ? (now?.allowedActions ?? []) : [];
  return (
    <StaleNotice
      act={act}
      move={move}
      refusal={conflict?.detail}
      rows={rows}
      offers={live.isOfSubject ? (isOffered ? [asked] : []) : listOffers(actions, asked.action)}
      isAnswered={!isOffered}
      asked={asked.action}
      onTake={onTake}
    />
  );
}

/**
 * Lists the options when a dialog's state is stale: the same action if the current state allows it, otherwise the
 * actions that answer the current state, and abort.
 */
export function listOffers(actions: readonly AllowedAction[], asked: AllowedAction["action"]): AllowedAction[] {
  const allowed = actions.filter((action) => action.allowed);
  const same = allowed.find(({ action }) => action === asked);
  if (same !== undefined) return [same];
  const { answers, apart } = arrangeActions(allowed);
  return [...answers, ...apart];
}

type StaleNoticeProps = {
  /** Who acted, if known; otherwise `move` describes the change. */
  act: ReleaseAct | undefined;
  move: string;
  /** The server's answer to the refused click; undefined before a click. */
  refusal: string | undefined;
  rows: readonly ChangeRow[];
  /** The possible actions in the current state, the requested action first. */
  offers: readonly AllowedAction[];
  /** The dialog's own button asks again. */
  isAnswered: boolean;
  asked: AllowedAction["action"];
  onTake: (action: AllowedAction) => void;
};

/** Warns that the dialog's state is stale: who changed it, the current state, and the possible actions. */
function StaleNotice({ act, move, refusal, rows, offers, isAnswered, asked, onTake }: StaleNoticeProps) {
  return (
    <Alert color="orange" variant="outline" role="alert" title="Changed while you were looking" bg="var(--gh-surface)">
      <Stack gap="xs">
        <Text size="sm">
          <StaleStory act={act} move={move} />
          {refusal !== undefined && " Nothing was done."}
          {isAnswered && " Check what changed, then confirm again or cancel."}
          {!isAnswered && offers.length === 0 && " No action is possible now."}
        </Text>
        {rows.length > 0 && <ChangeTable rows={rows} />}
        {offers.length > 0 && (
          <Group gap="xs">
            {offers.map((action) => (
              <Button key={action.action} size="xs" variant="default" onClick={() => onTake(action)}>
                {action.action === asked ? `${action.label} from the current state` : `${action.label} instead`}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Shows "operator aborted it at 50 % 8 s ago", or else the controller's move. */
function StaleStory({ act, move }: Pick<StaleNoticeProps, "act" | "move">) {
  if (act === undefined) return <HostileText text={move} />;
  return (
    <>
      <strong>
        <bdi>{act.who}</bdi>
      </strong>{" "}
      {act.did} <RelativeTime at={act.time} />
      {act.reason !== null && act.reason !== "" && (
        <>
          : <em>{act.reason}</em>
        </>
      )}
      {/[.!?]$/.test(act.reason ?? "") ? null : "."}
    </>
  );
}

function ChangeTable({ rows }: Pick<StaleNoticeProps, "rows">) {
  return (
    <Table className={classes.seenNow} verticalSpacing={4}>
      <Table.Caption className="visually-hidden">What you saw and the current state</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">What</Table.Th>
          <Table.Th scope="col">Seen</Table.Th>
          <Table.Th scope="col">Now</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ field, what, seen, now, title }) => (
          <Table.Tr key={field} title={title}>
            <Table.Th scope="row">{what}</Table.Th>
            <Table.Td>{seen}</Table.Td>
            <Table.Td className={classes.now}>{now}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
