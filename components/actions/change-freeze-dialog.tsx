"use client";

import { Text } from "@mantine/core";
import { useState } from "react";
import { type EndChoice, endOf, extendChoices } from "#components/actions/end-choices.ts";
import { EndFields } from "#components/actions/end-fields.tsx";
import { describeScope } from "#components/ui/describe-scope.ts";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { ReasonField } from "#components/ui/reason-field.tsx";
import { useChangeFreeze } from "#lib/client/freeze-queries.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import type { Freeze } from "#lib/contract/freeze.ts";
import { longestFreezeDays } from "#lib/domain/policy/freeze.ts";
import { isBlank } from "#lib/util/text.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

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
          ? "No answer: look at the freeze"
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
