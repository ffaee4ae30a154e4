import { Accordion, Code, Stack, Text } from "@mantine/core";
import classes from "#components/actions/actions.module.css";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type WhatIsSentProps = {
  action: AllowedAction;
  /** False until the patch has been planned. */
  isPlanned: boolean;
};

/** Shows the patch and the equivalent command, collapsed. */
export function WhatIsSent({ action, isPlanned }: WhatIsSentProps) {
  const patches = action.patches ?? [];
  if (patches.length === 0 && action.kubectl === undefined) return null;
  return (
    <Accordion
      variant="default"
      chevronPosition="left"
      styles={{ content: { padding: 0 }, control: { paddingInline: 0 } }}
    >
      <Accordion.Item value="sent" style={{ border: 0 }}>
        <Accordion.Control>
          <Text size="sm">What is sent to the cluster</Text>
        </Accordion.Control>
        <Accordion.Panel>
          <Stack gap="xs">
            {action.kubectl !== undefined && (
              <Code block className={classes.code}>
                {action.kubectl}
              </Code>
            )}
            {!isPlanned && (
              <Text size="xs" c="dimmed">
                The patch is not ready yet.
              </Text>
            )}
            {patches.map(({ subresource, body }) => (
              <div key={subresource + JSON.stringify(body)}>
                <Text size="xs" c="dimmed">
                  {subresource === "" ? "Merge patch of the object" : `Merge patch of its ${subresource}`}
                </Text>
                <Code block className={classes.code} tabIndex={0} role="region" aria-label="The patch">
                  {JSON.stringify(body, null, 2)}
                </Code>
              </div>
            ))}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
