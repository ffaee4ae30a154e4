"use client";

import { Badge, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { describeDevice } from "#components/settings/describe-device.ts";
import { ConfirmButton, type ListColumn, ListSection } from "#components/settings/list-section.tsx";
import { IconDevices } from "#components/ui/icons.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useRevokeSession, useSessions } from "#lib/client/credential-queries.ts";
import { goToSignIn } from "#lib/client/session.ts";
import { useIsAdmin } from "#lib/client/system-queries.ts";
import type { Session } from "#lib/contract/system.ts";

/** Lists the reader's open sessions or, for an admin, those of all people. */
export function SessionsSection() {
  const isAdmin = useIsAdmin();
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
        hint: "Each signed-in browser has a session. Tokens do not need one.",
      }}
      columns={isAdmin ? [personColumn, ...columns] : columns}
      act={{ header: "End it", cell: (session) => <EndSession session={session} /> }}
    />
  );
}

const personColumn: ListColumn<Session> = {
  header: "Person",
  isName: true,
  cell: ({ user }) => (
    <>
      {user.name}
      <Text size="xs" c="dimmed" fw={400}>
        {user.issuer}
      </Text>
    </>
  ),
};

const columns: readonly ListColumn<Session>[] = [
  {
    header: "Device",
    cell: ({ userAgent, current }) => (
      <span title={userAgent ?? undefined}>
        {describeDevice(userAgent)}{" "}
        {current && (
          <Badge size="sm" variant="outline" color="gray" tt="none">
            this one
          </Badge>
        )}
      </span>
    ),
  },
  { header: "Address", cell: ({ address }) => address ?? "unknown" },
  { header: "Last seen", cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
  { header: "Signed in", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { header: "Ends", cell: (session) => <RelativeTime at={endOf(session)} /> },
];

/** The earlier of the two. */
function endOf({ idleExpiresAt, absoluteExpiresAt }: Session): string {
  return Date.parse(idleExpiresAt) < Date.parse(absoluteExpiresAt) ? idleExpiresAt : absoluteExpiresAt;
}

function EndSession({ session: { id, user, userAgent, current } }: { session: Session }) {
  const revoke = useRevokeSession();

  function end(): void {
    revoke.mutate(id, {
      onSuccess: () => (current ? goToSignIn() : undefined),
      onError: (error) =>
        notifications.show({ color: "red", title: "The session was not ended", message: error.message }),
    });
  }

  return (
    <ConfirmButton
      label="Revoke"
      what={current ? "this session" : `the session of ${user.name}, ${describeDevice(userAgent)}`}
      isPending={revoke.isPending}
      onConfirm={end}
    />
  );
}
