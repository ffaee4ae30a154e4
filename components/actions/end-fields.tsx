import { Radio, Stack, TextInput } from "@mantine/core";
import { type EndChoice, endChoices } from "#components/actions/end-choices.ts";
import { fromLocalInput, toLocalInput } from "#components/ui/local-input.ts";
import { shownTimeZone } from "#lib/client/time-display.ts";
import { longestFreezeDays } from "#lib/domain/policy/freeze.ts";

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
export function EndFields({ choices = endChoices, choice, onChoice, typed, onTyped, isWrong }: EndFieldsProps) {
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
