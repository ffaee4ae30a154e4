"use client";

import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { type EndChoice, endOf, splitPatterns } from "#components/actions/end-choices.ts";
import { EndFields } from "#components/actions/end-fields.tsx";
import { describeScope } from "#components/ui/describe-scope.ts";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { ReasonField } from "#components/ui/reason-field.tsx";
import { useCreateFreeze } from "#lib/client/freeze-queries.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
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
          ? "No answer: look whether it is frozen"
          : "Nothing is frozen"
      }
    >
      <Text size="sm">
        Gatehouse refuses every action that advances a rollout <strong>{describeScope(scope)}</strong>. Abort, pause,
        hold, suspend and roll back keep working. Flagger&apos;s gates stay closed. Controllers otherwise go on by
        themselves, and kubectl and Git are not stopped.
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
