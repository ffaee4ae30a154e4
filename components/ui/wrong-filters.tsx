import { Alert, Button, Group, List, Text } from "@mantine/core";
import type { WrongFilter } from "#components/ui/find-wrong-filters.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconFilterX } from "#components/ui/icons.tsx";
import type { ListState } from "#components/ui/use-list-state.ts";

type WrongFiltersProps = {
  wrong: readonly WrongFilter[];
  /** Name of the requested items: "analysis runs". */
  noun: string;
  state: Pick<ListState, "remove">;
};

/** Names the filters of the address that are invalid here, and removes them. */
export function WrongFilters({ wrong, noun, state }: WrongFiltersProps) {
  return (
    <Alert
      color="yellow"
      variant="outline"
      role="alert"
      bg="var(--gh-surface)"
      icon={<IconFilterX size={18} />}
      title={wrong.length === 1 ? "This filter cannot be used" : "These filters cannot be used"}
    >
      <Text size="sm">The address filters {noun} by a value that cannot be used here:</Text>
      <List size="sm" my="xs">
        {wrong.map(({ name, value, reason }) => (
          <List.Item key={name}>
            {name}: <HostileText text={value} />
            <Text size="sm" c="dimmed">
              {reason}
            </Text>
          </List.Item>
        ))}
      </List>
      <Group>
        <Button size="xs" variant="default" onClick={() => state.remove(wrong.map(({ name }) => name))}>
          {wrong.length === 1 ? "Show the page without it" : "Show the page without them"}
        </Button>
      </Group>
    </Alert>
  );
}
