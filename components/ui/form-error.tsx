import { Alert, Text } from "@mantine/core";
import { HostileText } from "#components/ui/hostile-text.tsx";

/** Says why the last attempt of a form failed, under a title that says that nothing was done; nothing without an error. */
export function FormError({ title, error }: { title: string | undefined; error: Error | null }) {
  if (error === null) return null;
  return (
    <Alert color="red" variant="outline" role="alert" title={title} bg="var(--gh-surface)">
      <Text size="sm">
        <HostileText text={error.message} />
      </Text>
    </Alert>
  );
}
