import { Anchor, Button, Group, Text } from "@mantine/core";
import Link from "next/link";
import { useRef, useState } from "react";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { configHref } from "#lib/client/admin-href.ts";
import type { SettingOrigin } from "#lib/contract/stored-setting.ts";

type SettingHeadProps = {
  origin: SettingOrigin;
  /** The key of the config. */
  path: string;
  /** In the plural: "links". */
  what: string;
  /** Shown unless the config file sets it. */
  children: React.ReactNode;
  /** Buttons. */
  actions?: React.ReactNode;
};

/** Says who set a part of the config that an admin may set here, and offers what can be done. */
export function SettingHead({ origin, path, what, children, actions }: SettingHeadProps) {
  const { source, changedBy, changedAt } = origin;
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" maw="46rem">
        {source === "interface" ? (
          children
        ) : (
          <>
            The config file sets{" "}
            <Anchor component={Link} href={configHref(path)} inherit underline="always">
              {path}
            </Anchor>
            , so {what} can only be changed there.
          </>
        )}
        {source === "interface" && changedBy !== null && changedAt !== null && (
          <>
            {" "}
            Changed by <bdi>{changedBy}</bdi>, <RelativeTime at={changedAt} />.
          </>
        )}
      </Text>
      <Group gap="xs">{actions}</Group>
    </Group>
  );
}

type EditButtonsProps = { name: string; onEdit: () => void; onRemove: () => void };

/** The buttons of one item of a list that an admin may change. */
export function EditButtons({ name, onEdit, onRemove }: EditButtonsProps) {
  const button = { size: "compact-xs", variant: "default" } as const;
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <Button {...button} aria-label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
      <Button {...button} aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </Group>
  );
}

type Request = { reset: () => void };

/**
 * Opens the dialog of one item of a list. It changes the list that the person saw when it was opened: another admin's
 * change since then is a conflict.
 */
export function useItemEditor<Seen>(seen: Seen, set: Request) {
  const [edited, setEdited] = useState<{ index: number; seen: Seen }>();
  return {
    edited,
    edit: (index: number) => setEdited({ index, seen }),
    close: () => {
      set.reset();
      setEdited(undefined);
    },
  };
}

/** Asks before an item of a list is removed. Then its button is gone, and the focus goes to `place`. */
export function useItemRemoval<Removed>(remove: Request) {
  const [removed, setRemoved] = useState<Removed>();
  const place = useRef<HTMLDivElement>(null);
  const close = (): void => {
    remove.reset();
    setRemoved(undefined);
  };
  return {
    place,
    removed,
    ask: setRemoved,
    close,
    finish: () => {
      close();
      place.current?.focus();
    },
  };
}
