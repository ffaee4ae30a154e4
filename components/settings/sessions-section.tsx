"use client";

import { Badge, Table, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDevices } from "@tabler/icons-react";
import { ConfirmButton } from "#components/settings/confirm-button.tsx";
import { describeDevice } from "#components/settings/describe-device.ts";
import { ListSection } from "#components/settings/list-section.tsx";
import classes from "#components/settings/settings.module.css";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { goToSignIn } from "#lib/client/session.ts";
import { useRevokeSession, useSessions } from "#lib/client/session-queries.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { Session } from "#lib/contract/system.ts";

/** Shows where the reader is signed in or, for an admin, where anybody is. */
export function SessionsSection() {
  const isAdmin = useMe().data?.role === "admin";
  const list = useSessions();
  return (
    <ListSection
      id="sessions"
      title={isAdmin ? "All sessions" : "My sessions"}
      what="The sessions"
      list={list}
      empty={{
        icon: <IconDevices size={40} stroke={1.2} />,
        title: "No open session",
        hint: "Every signed-in browser is a session. Tokens need none.",
      }}
      columns={[...(isAdmin ? ["Person"] : []), "Device", "Address", "Last seen", "Signed in", "Ends"]}
      acts="End it"
    >
      {(session) => <SessionRow key={session.id} session={session} showsPerson={isAdmin} />}
    </ListSection>
  );
}

function SessionRow({ session, showsPerson }: { session: Session; showsPerson: boolean }) {
  const revoke = useRevokeSession();
  const { id, user, current, userAgent, address, lastSeenAt, createdAt, idleExpiresAt, absoluteExpiresAt } = session;
  const device = describeDevice(userAgent);
  // The session ends at the earlier of the two.
  const endsAt = Date.parse(idleExpiresAt) < Date.parse(absoluteExpiresAt) ? idleExpiresAt : absoluteExpiresAt;

  function end(): void {
    revoke.mutate(id, {
      onSuccess: () => (current ? goToSignIn() : undefined),
      onError: (error) =>
        notifications.show({ color: "red", title: "The session was not ended", message: error.message }),
    });
  }

  return (
    <Table.Tr>
      {showsPerson && (
        <Table.Th scope="row">
          {user.name}
          <Text size="xs" c="dimmed" fw={400} className={classes.device}>
            {user.issuer}
          </Text>
        </Table.Th>
      )}
      <Table.Td className={classes.device} title={userAgent ?? undefined}>
        {device}{" "}
        {current && (
          <Badge size="sm" variant="outline" color="gray" tt="none">
            this one
          </Badge>
        )}
      </Table.Td>
      <Table.Td>{address ?? "unknown"}</Table.Td>
      <Table.Td>
        <RelativeTime at={lastSeenAt} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={endsAt} />
      </Table.Td>
      <Table.Td ta="right">
        <ConfirmButton
          label="Revoke"
          what={current ? "this session" : `the session of ${user.name}, ${device}`}
          isPending={revoke.isPending}
          onConfirm={end}
        />
      </Table.Td>
    </Table.Tr>
  );
}
