"use client";

import { Checkbox, Group, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { findFieldErrors, toFormError } from "#components/ui/find-wrong-filters.ts";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { splitNames } from "#components/ui/split-names.ts";
import type { RouteSetting } from "#lib/contract/notification-setting.ts";
import { notifiableKinds } from "#lib/domain/notify/notifiable-event.ts";
import { findingSeverities } from "#lib/domain/oversight/rule.ts";

type RouteDialogProps = {
  /** Undefined for a new one. */
  route: RouteSetting | undefined;
  index: number;
  channels: readonly string[];
  request: { isPending: boolean; error: Error | null };
  onSave: (route: RouteSetting) => void;
  onClose: () => void;
};

const scopes = [
  { key: "clusters", label: "Clusters" },
  { key: "namespaces", label: "Namespaces" },
  { key: "rollouts", label: "Rollouts" },
] as const;

const keys = ["name", "to", "events", "minSeverity", "quietHours", ...scopes.map(({ key }) => key)];

/** Asks which events are sent to which channels. */
export function RouteDialog({ route, index, channels, request, onSave, onClose }: RouteDialogProps) {
  const [typed, setTyped] = useState({
    name: route?.name ?? "",
    clusters: (route?.clusters ?? ["*"]).join(", "),
    namespaces: (route?.namespaces ?? ["*"]).join(", "),
    rollouts: (route?.rollouts ?? ["*"]).join(", "),
    minSeverity: route?.minSeverity ?? "info",
    start: route?.quietHours?.start ?? "",
    end: route?.quietHours?.end ?? "",
    timeZone: route?.quietHours?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  const [to, setTo] = useState(route?.to ?? (channels.length === 1 ? [...channels] : []));
  const [events, setEvents] = useState<string[]>(route?.events ?? [...notifiableKinds]);
  const errors = findFieldErrors(request.error, { path: `routes.${index}`, keys });
  const text = (key: keyof typeof typed) => ({
    value: typed[key],
    error: errors[key],
    onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLSelectElement>) => {
      const { value } = event.currentTarget;
      setTyped((now) => ({ ...now, [key]: value }));
    },
  });

  function save(): void {
    const { start, end, timeZone } = typed;
    onSave({
      name: typed.name.trim(),
      ...{ clusters: splitNames(typed.clusters), namespaces: splitNames(typed.namespaces) },
      rollouts: splitNames(typed.rollouts),
      events: notifiableKinds.filter((kind) => events.includes(kind)),
      minSeverity: findingSeverities.find((severity) => severity === typed.minSeverity) ?? "info",
      to,
      ...(start === "" && end === "" ? {} : { quietHours: { start, end, timeZone: timeZone.trim() } }),
    });
  }

  return (
    <FormDialog
      title={route === undefined ? "Add a route" : `Edit ${route.name}`}
      size="lg"
      request={{ isPending: request.isPending, error: toFormError(request.error, errors) }}
      label="Save the route"
      errorTitle="The route was not saved"
      isDisabled={typed.name.trim() === "" || to.length === 0 || events.length === 0}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Lower-case letters, digits and dashes."
        required
        data-autofocus
        {...text("name")}
      />
      <Checkbox.Group
        label="Send to"
        description="At least one channel."
        withAsterisk
        value={to}
        onChange={setTo}
        error={errors.to}
      >
        <Group gap="md" mt={4}>
          {/* A channel that was removed stays listed, so that it can be unticked. */}
          {[...new Set([...channels, ...to])].map((channel) => (
            <Checkbox key={channel} value={channel} label={channel} />
          ))}
        </Group>
      </Checkbox.Group>
      <Checkbox.Group
        label="Events"
        description="At least one."
        withAsterisk
        value={events}
        onChange={setEvents}
        error={errors.events}
      >
        <Group gap="md" mt={4}>
          {notifiableKinds.map((kind) => (
            <Checkbox key={kind} value={kind} label={kind} />
          ))}
        </Group>
      </Checkbox.Group>
      <NativeSelect label="From severity" data={[...findingSeverities]} {...text("minSeverity")} />
      <Group gap="sm" grow align="start">
        {scopes.map(({ key, label }) => (
          <TextInput key={key} label={label} description="Names or patterns, separated by commas." {...text(key)} />
        ))}
      </Group>
      <Group gap="sm" grow align="start">
        <TextInput
          label="Quiet from"
          description="Critical events are sent anyway."
          type="time"
          {...text("start")}
          error={errors.quietHours}
        />
        <TextInput label="Quiet until" type="time" {...text("end")} />
        <TextInput label="Time zone" {...text("timeZone")} />
      </Group>
    </FormDialog>
  );
}
