"use client";

import { NativeSelect, Stack, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import {
  type ChannelForm,
  channelForms,
  type Field,
  formOf,
  listFields,
  readChannel,
  valuesOf,
} from "#components/notifications/channel-form.ts";
import { findFieldErrors, toFormError } from "#components/ui/find-wrong-filters.ts";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import type { ChannelSetting } from "#lib/contract/notification-setting.ts";

type ChannelDialogProps = {
  /** Undefined for a new one. */
  channel: ChannelSetting | undefined;
  index: number;
  /** What the config file allows: places of secrets, and addresses. */
  allow: readonly string[];
  request: { isPending: boolean; error: Error | null };
  onSave: (channel: ChannelSetting) => void;
  onClose: () => void;
};

/** Asks for a channel. A secret is chosen by its place: it is neither typed nor shown. */
export function ChannelDialog({ channel, index, allow, request, onSave, onClose }: ChannelDialogProps) {
  const [form, setForm] = useState<ChannelForm>(channel === undefined ? "slack" : formOf(channel));
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(channel === undefined ? {} : valuesOf(channel));
  const places = allow.filter((target) => /^(?:file|env):/.test(target));
  const placeList = useId();
  const describeAllowed = (scheme: "http" | "smtp") => {
    const addresses = allow.filter((target) => target.startsWith(scheme));
    const mayBePlace = scheme === "http" && places.length > 0;
    if (addresses.length === 0 && !mayBePlace) return "The config file allows no address (notifications.allow).";
    const listed = addresses.length === 0 ? [] : [`Allowed: ${addresses.join(", ")}.`];
    return [...listed, ...(mayBePlace ? ["For a secret address, choose the place where it is kept."] : [])].join(" ");
  };
  const describeField = ({ key, kind, scheme, hint }: Field) => {
    if (scheme !== undefined) return describeAllowed(scheme);
    if (kind === "place" && places.length === 0) return "The config file allows no secret (notifications.allow).";
    const isRenamed = key === "name" && channel !== undefined && (typed.name ?? "").trim() !== channel.name;
    return isRenamed ? `${hint} Messages that still wait for ${channel.name} are not sent.` : hint;
  };
  const fields = listFields(form);
  const keys = fields.map(({ key }) => key);
  const errors = findFieldErrors(request.error, { path: `channels.${index}`, keys });
  const isIncomplete = fields.some(
    ({ key, isOptional, value = "" }) => !isOptional && (typed[key] ?? value).trim() === "",
  );
  return (
    <FormDialog
      title={channel === undefined ? "Add a channel" : `Edit ${channel.name}`}
      request={{ isPending: request.isPending, error: toFormError(request.error, errors) }}
      label="Save the channel"
      errorTitle="The channel was not saved"
      isDisabled={isIncomplete}
      onSubmit={() => onSave(readChannel(form, typed))}
      onClose={onClose}
    >
      <NativeSelect
        label="Type"
        data-autofocus
        value={form}
        data={channelForms.map(({ value, label }) => ({ value, label }))}
        onChange={(event) => {
          setForm(channelForms.find(({ value }) => value === event.currentTarget.value)?.value ?? form);
          // Another service has another address.
          setTyped(({ apiUrl: _, ...rest }) => rest);
        }}
      />
      <Stack gap="sm">
        {fields.map((given) => {
          const { key, label, kind, scheme, options, isOptional, value = "" } = given;
          const field = {
            ...{ label, description: describeField(given), required: isOptional !== true, error: errors[key] },
            value: typed[key] ?? value,
            onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLSelectElement>) => {
              const text = event.currentTarget.value;
              setTyped((now) => ({ ...now, [key]: text }));
            },
          };
          if (options !== undefined) return <NativeSelect key={key} {...field} data={[...options]} />;
          if (kind !== "place")
            return <TextInput key={key} {...field} list={scheme === "http" ? placeList : undefined} />;
          // A place that is no longer allowed stays visible until another one is chosen.
          const listed = field.value === "" || places.includes(field.value) ? places : [...places, field.value];
          const none = { value: "", label: isOptional ? "None" : "Choose where it is kept" };
          return <NativeSelect key={key} {...field} data={[none, ...listed]} />;
        })}
      </Stack>
      <datalist id={placeList}>
        {places.map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
    </FormDialog>
  );
}
