import { Text } from "@mantine/core";
import { formatExact } from "#components/ui/format-time.ts";

type TemplateMissingProps = {
  /** Whose template it is. */
  of: string;
  /** Since when templates of the rollout are recorded; null if they are not, or if that is not the reason. */
  since: string | null;
  /** The consequence, as the end of a sentence. */
  unknown: string;
};

/** Says that a pod template was not recorded. */
export function TemplateMissing({ of, since, unknown }: TemplateMissingProps) {
  return (
    <Text size="sm" c="dimmed" mt={4}>
      The pod template of {of} was not recorded, so {unknown}.
      {since !== null && ` Those of this rollout are recorded since ${formatExact(since)}.`}
    </Text>
  );
}
