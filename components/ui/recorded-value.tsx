import { Text } from "@mantine/core";

/** Shows a value as recorded. The brackets around a single number, which Prometheus' answers have, step back. */
export function RecordedValue({ value }: { value: string }) {
  const single = /^\[([^[\]{},"]+)\]$/.exec(value)?.[1];
  if (single === undefined) return <bdi>{value}</bdi>;
  return (
    <bdi>
      <Bracket>[</Bracket>
      {single}
      <Bracket>]</Bracket>
    </bdi>
  );
}

function Bracket({ children }: { children: string }) {
  return (
    <Text span inherit c="dimmed" fw={400}>
      {children}
    </Text>
  );
}
