"use client";

import { Button, Center, Group, Stack, Text, Title } from "@mantine/core";
import { withBasePath } from "#lib/client/base-path.ts";

type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void };

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <Center component="main" mih="80dvh" p="md">
      <Stack gap="xs" align="center" role="alert">
        <Title order={1}>This page could not be shown</Title>
        <Text c="dimmed" ta="center">
          Gatehouse or its database may be starting or unreachable. Nothing was changed.
        </Text>
        {error.digest !== undefined && (
          <Text size="xs" c="dimmed">
            Logged as {error.digest}
          </Text>
        )}
        <Group mt="sm">
          <Button onClick={reset}>Try again</Button>
          <Button variant="default" component="a" href={withBasePath("/inbox")}>
            Go to inbox
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
