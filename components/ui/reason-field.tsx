import { Textarea } from "@mantine/core";
import { isBlank } from "#lib/util/text.ts";

type ReasonFieldProps = {
  value: string;
  onChange: (reason: string) => void;
  isRequired: boolean;
  /** The form was submitted: the field reports that it is empty. */
  isSent?: boolean;
  takesFocus?: boolean;
};

/** Takes the reason for an action, for the audit log. */
export function ReasonField({ value, onChange, isRequired, isSent = false, takesFocus = true }: ReasonFieldProps) {
  return (
    <Textarea
      label="Reason"
      description={isRequired ? "Required. Recorded in the audit log." : "Optional. Recorded in the audit log."}
      withAsterisk={isRequired}
      aria-required={isRequired}
      autosize
      minRows={2}
      maxRows={6}
      maxLength={2000}
      data-autofocus={takesFocus ? true : undefined}
      value={value}
      error={isRequired && isSent && isBlank(value) ? "Enter a reason." : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
