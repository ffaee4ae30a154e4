import { Anchor, Center, Stack, Text, Title } from "@mantine/core";
import { withBasePath } from "#lib/client/base-path.ts";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <Center component="main" mih="80dvh" p="md">
      <Stack gap="xs" align="center">
        <Title order={1}>Page not found</Title>
        <Text c="dimmed">The address is wrong, or Gatehouse never recorded this object.</Text>
        <Anchor href={withBasePath("/inbox")}>Go to inbox</Anchor>
      </Stack>
    </Center>
  );
}
