import { Accordion, Code, Stack, Text } from "@mantine/core";
import { type ActTarget, nameOf } from "#components/actions/act-target.ts";
import classes from "#components/actions/actions.module.css";
import { wordTimes } from "#components/ui/format-time.ts";
import { describeVersions } from "#lib/client/describe-images.ts";
import type { AllowedAction, RolloutDetail } from "#lib/contract/rollout.ts";
import type { NamedClusterIdentity } from "#lib/contract/system.ts";
import { currentStepNumber } from "#lib/domain/delivery/step-words.ts";

type WhatHappensProps = { action: AllowedAction; target: ActTarget; hidesReason: boolean };

/** Shows the action's effect in a sentence, what it overrides, its warnings, and why it is disabled. */
export function WhatHappens({ action, target, hidesReason }: WhatHappensProps) {
  const { label, effect, waives, warnings = [], allowed, reason } = action;
  return (
    <div>
      <Text>{effect ?? `${label} on ${nameOf(target)} in ${target.cluster}.`}</Text>
      {waives !== undefined && !isNamed(waives, effect) && (
        <Text className={classes.waives}>{`Overrides ${waives}.`}</Text>
      )}
      {warnings.length > 0 && (
        <ul className={classes.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {!allowed && !hidesReason && reason !== undefined && <Text c="var(--gh-red-text)">{wordTimes(reason)}</Text>}
    </div>
  );
}

/** Returns whether the effect already names every run that the action overrides, and it overrides nothing else. */
export function isNamed(waives: string, effect = ""): boolean {
  // Whole names: that of a background run begins the names of its step's runs.
  const names = new Set(effect.split(/[^a-z0-9.-]+/i).map((word) => word.replace(/\.$/, "")));
  return waives.split(/, | and /).every((one) => {
    const run = /\brun (\S+)$/.exec(one)?.[1];
    return run !== undefined && names.has(run);
  });
}

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

/** Shows the version and the step as they were when the dialog was opened; the hash is in the tooltip. */
export function SeenFacts({ rollout }: { rollout: RolloutDetail | undefined }) {
  if (rollout === undefined) return null;
  const { weight, stepCount, revisionKey, revision, aborted } = rollout;
  const number = currentStepNumber(rollout);
  const actual = weight?.actual ?? null;
  const facts = [
    describeVersions(rollout),
    number === null ? undefined : `${aborted ? "aborted at " : ""}step ${number} of ${stepCount}`,
    actual === null ? undefined : `${actual} % of traffic on the new version`,
  ];
  return (
    <Text size="sm" c="dimmed" title={`revision ${revision ?? "unknown"}, pod hash ${revisionKey}`}>
      {facts.filter((fact) => fact !== undefined).join(" · ")}
    </Text>
  );
}

/** More would not fit on one line; the settings page lists all. */
const shownGroups = 4;

/** Describes the identity: "Runs on demo as oncall, with the rights of groups releasers and sre." */
export function describeActingAs({ cluster, mode, username, groups, problem }: NamedClusterIdentity): {
  text: string;
  isProblem: boolean;
} {
  if (problem !== null) return { text: problem, isProblem: true };
  if (mode === "serviceAccount") {
    const name = username === null ? "" : `, ${username}`;
    return {
      text: `Runs on ${cluster} with Gatehouse's own account${name}; its rights apply, not yours.`,
      isProblem: false,
    };
  }
  const name = username ?? "";
  if (mode === "user") {
    const who = groups.length === 0 ? `${name}, without groups` : `${name} (${listGroups(groups)})`;
    return { text: `Runs on ${cluster} as user ${who}.`, isProblem: false };
  }
  if (groups.length === 0)
    return {
      text: `Runs on ${cluster} without your rights: that cluster grants rights to groups, and Gatehouse sends none of yours.`,
      isProblem: true,
    };
  return {
    text: `Runs on ${cluster} as ${name}, with the rights of ${listGroups(groups)}.`,
    isProblem: false,
  };
}

function listGroups(groups: readonly string[]): string {
  const more = groups.length - shownGroups;
  const names = groups.slice(0, shownGroups).join(", ");
  return `${groups.length === 1 ? "group" : "groups"} ${names}${more > 0 ? ` and ${more} more` : ""}`;
}
