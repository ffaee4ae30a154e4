import { Text } from "@mantine/core";
import { describeVersions } from "#lib/client/describe-images.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import { currentStepNumber } from "#lib/domain/delivery/step-words.ts";

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
