"use client";

import { Radio, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { type EndChoice, endChoices, endOf, extendChoices, splitPatterns } from "#components/actions/end-choices.ts";
import { ReasonField } from "#components/ui/dialog-parts.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { fromLocalInput, toLocalInput } from "#components/ui/local-input.ts";
import { useChangeFreeze, useCreateFreeze } from "#lib/client/freeze-queries.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import { shownTimeZone } from "#lib/client/time-display.ts";
import type { Freeze } from "#lib/contract/freeze.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";
import { longestFreezeDays } from "#lib/domain/policy/freeze.ts";
import { isBlank } from "#lib/util/text.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

/** Stops what advances rollouts, in a scope and until a time. */
export function FreezeDialog({ onClose }: { onClose: () => void }) {
  const [places, setPlaces] = useState({ clusters: "", namespaces: "", rollouts: "" });
  const [choice, setChoice] = useState<EndChoice>("1h");
  const [typed, setTyped] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const [isSent, setSent] = useState(false);
  const create = useCreateFreeze();
  const scope = {
    clusters: splitPatterns(places.clusters),
    namespaces: splitPatterns(places.namespaces),
    rollouts: splitPatterns(places.rollouts),
  };
  const end = (nowMs: number) => endOf(choice, { nowMs, typed, maxDays: longestFreezeDays });

  function confirm(): void {
    setSent(true);
    const endsAt = end(serverNowMs());
    if (isBlank(reason) || endsAt === undefined) return;
    create.mutate({ reason: reason.trim(), ...scope, endsAt }, { onSuccess: onClose });
  }

  const place = (name: keyof typeof places, label: string) => (
    <TextInput
      label={label}
      placeholder="all"
      description={name === "namespaces" ? "Names or patterns, such as pay*." : undefined}
      maxLength={1000}
      autoComplete="off"
      value={places[name]}
      onChange={(event) => setPlaces({ ...places, [name]: event.currentTarget.value })}
    />
  );

  return (
    <FormDialog
      title="Freeze promotions"
      request={create}
      onSubmit={confirm}
      onClose={onClose}
      label="Freeze"
      errorTitle={
        isGatehouseError(create.error) && create.error.isTransient
          ? "No answer: check whether the freeze started"
          : "Nothing is frozen"
      }
    >
      <Text size="sm">
        Gatehouse refuses every action that advances a rollout <strong>{describeScope(scope)}</strong>. Abort, pause,
        hold, suspend and roll back keep working. Flagger&apos;s gates stay closed. Controllers otherwise continue on
        their own, and kubectl and Git are not blocked.
      </Text>
      {place("clusters", "Clusters")}
      {place("namespaces", "Namespaces")}
      {place("rollouts", "Rollouts")}
      <EndFields
        {...{ choice, typed }}
        onChoice={setChoice}
        onTyped={setTyped}
        isWrong={isSent && end(serverNowMs()) === undefined}
      />
      <ReasonField value={reason} onChange={setReason} isRequired isSent={isSent} takesFocus={false} />
    </FormDialog>
  );
}

type ChangeFreezeDialogProps = { freeze: Freeze; change: "extend" | "end"; onClose: () => void };

/** Extends a freeze, or ends it now. */
export function ChangeFreezeDialog({ freeze, change, onClose }: ChangeFreezeDialogProps) {
  const [choice, setChoice] = useState<EndChoice>("1h");
  const [typed, setTyped] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const [isSent, setSent] = useState(false);
  const save = useChangeFreeze(freeze.id);
  const isEnd = change === "end";
  const end = () =>
    endOf(choice, { nowMs: serverNowMs(), fromMs: Date.parse(freeze.endsAt), typed, maxDays: longestFreezeDays });

  function confirm(): void {
    setSent(true);
    const endsAt = isEnd ? undefined : end();
    if (isBlank(reason) || (!isEnd && endsAt === undefined)) return;
    save.mutate({ reason: reason.trim(), ...(endsAt === undefined ? {} : { endsAt }) }, { onSuccess: onClose });
  }

  return (
    <FormDialog
      title={isEnd ? "End the freeze" : "Extend the freeze"}
      request={save}
      onSubmit={confirm}
      onClose={onClose}
      label={isEnd ? "End the freeze" : "Extend the freeze"}
      errorTitle={
        isGatehouseError(save.error) && save.error.isTransient
          ? "No answer: check the freeze"
          : "The freeze is unchanged"
      }
    >
      <Text size="sm">
        {isEnd ? "Rollouts can be promoted again" : "The freeze ends at the new time"}{" "}
        <bdi>{describeScope(freeze.scope)}</bdi>
        {isEnd ? ", unless another freeze is in force." : "."}
      </Text>
      {!isEnd && (
        <EndFields
          choices={extendChoices}
          {...{ choice, typed }}
          onChoice={setChoice}
          onTyped={setTyped}
          isWrong={isSent && end() === undefined}
        />
      )}
      <ReasonField value={reason} onChange={setReason} isRequired isSent={isSent} takesFocus={isEnd} />
    </FormDialog>
  );
}

type EndFieldsProps = {
  choices?: typeof endChoices;
  choice: EndChoice;
  onChoice: (choice: EndChoice) => void;
  /** ISO 8601; null if none was typed. */
  typed: string | null;
  onTyped: (typed: string | null) => void;
  /** The form was sent, and the typed time is missing or out of bounds. */
  isWrong: boolean;
};

/** Asks until when a freeze lasts. */
function EndFields({ choices = endChoices, choice, onChoice, typed, onTyped, isWrong }: EndFieldsProps) {
  return (
    <>
      <Radio.Group label="How long" value={choice} onChange={(value) => onChoice(value as EndChoice)}>
        <Stack gap="xs" mt="xs">
          {choices.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {choice === "time" && (
        <TextInput
          type="datetime-local"
          label="Time"
          description={`In the time zone ${shownTimeZone()}.`}
          value={typed === null ? "" : toLocalInput(typed)}
          error={isWrong ? `Choose a time within the next ${longestFreezeDays} days.` : undefined}
          onChange={(event) => onTyped(fromLocalInput(event.currentTarget.value))}
        />
      )}
    </>
  );
}
