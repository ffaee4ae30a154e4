"use client";

import { NativeSelect, Stack, TextInput } from "@mantine/core";
import type { ActionParams } from "#lib/contract/action.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type Offer = Pick<AllowedAction, "action" | "revisions" | "containers">;

/** What the fields say before anybody touches them. */
export function defaultParams({ action, revisions, containers }: Offer): ActionParams {
  if (action === "undo") {
    const before = revisions?.find(({ current }) => !current);
    return before === undefined ? {} : { toRevision: before.revision };
  }
  const [first] = containers ?? [];
  return action === "set-image" && first !== undefined ? { container: first.name, image: first.image } : {};
}

/** Whether the server could make a plan of it. */
export function areParamsComplete(
  action: AllowedAction["action"],
  { container = "", image = "" }: ActionParams,
): boolean {
  return action !== "set-image" || (container !== "" && image !== "");
}

type ParamFieldsProps = { offer: Offer; params: ActionParams; onChange: (params: ActionParams) => void };

/** Where to go back to, or which image to run; nothing for other actions. */
export function ParamFields({ offer, params, onChange }: ParamFieldsProps) {
  if (offer.action === "undo" && offer.revisions !== undefined) {
    return (
      <NativeSelect
        label="Back to revision"
        value={String(params.toRevision ?? "")}
        data={offer.revisions
          .filter(({ current }) => !current)
          .map(({ revision, images, stable }) => ({
            value: String(revision),
            label: `${revision}${stable ? " (stable)" : ""}: ${images.join(", ") || "images not known"}`,
          }))}
        onChange={(event) => onChange({ toRevision: Number(event.currentTarget.value) })}
      />
    );
  }
  if (offer.action !== "set-image") return null;
  const containers = offer.containers ?? [];
  const setContainer = (name: string) => {
    const image = containers.find((container) => container.name === name)?.image ?? params.image;
    onChange({ container: name, ...(image === undefined ? {} : { image }) });
  };
  return (
    <Stack gap="xs">
      {containers.length > 0 ? (
        <NativeSelect
          label="Container"
          value={params.container ?? ""}
          data={containers.map(({ name }) => name)}
          onChange={(event) => setContainer(event.currentTarget.value)}
        />
      ) : (
        <TextInput
          label="Container"
          value={params.container ?? ""}
          onChange={(event) => onChange({ ...params, container: event.currentTarget.value })}
        />
      )}
      <TextInput
        label="Image"
        value={params.image ?? ""}
        maxLength={512}
        spellCheck={false}
        onChange={(event) => onChange({ ...params, image: event.currentTarget.value })}
      />
    </Stack>
  );
}
