import { Text } from "@mantine/core";
import { describeActingAs } from "#components/actions/describe-acting-as.ts";
import { useMe } from "#lib/client/system-queries.ts";

/** Shows in one quiet line as whom the click reaches the cluster. */
export function ActingAs({ cluster }: { cluster: string }) {
  const identity = useMe().data?.clusterIdentities.find((known) => known.cluster === cluster);
  if (identity === undefined) return null;
  const { text, isProblem } = describeActingAs(identity);
  return (
    <Text size="xs" c={isProblem ? "var(--gh-orange-text)" : "dimmed"} style={{ overflowWrap: "anywhere" }}>
      {text}
    </Text>
  );
}
