"use client";

import { NativeSelect, Stack, TextInput } from "@mantine/core";
import type { ActionParams } from "#lib/contract/action.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type ParamFieldsProps = { offer: ParamOffer; params: ActionParams; onChange: (params: ActionParams) => void };

/** Asks for the revision to go back to, or the image to run; renders nothing for other actions. */
export function ParamFields({ offer, params, onChange }: ParamFieldsProps) {
  if (offer.action === "undo" && offer.revisions !== undefined)
    return <RevisionField revisions={offer.revisions} params={params} onChange={onChange} />;
  if (offer.action !== "set-image") return null;
  const containers = offer.containers ?? [];
  const runs = containers.find(({ name }) => name === params.container)?.image;
  // The typed image belongs to the previous container.
  const setContainer = (name: string) => {
    const image = containers.find((container) => container.name === name)?.image;
    onChange({ container: name, ...(image === undefined || image === "" ? {} : { image }) });
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
          spellCheck={false}
          onChange={(event) => onChange({ ...params, container: event.currentTarget.value })}
        />
      )}
      <TextInput
        label="Image"
        description={runs === undefined ? undefined : `It runs ${runs === "" ? "no image" : runs} now.`}
        styles={{ description: { overflowWrap: "anywhere" } }}
        value={params.image ?? ""}
        maxLength={512}
        spellCheck={false}
        autoCapitalize="off"
        data-autofocus
        onChange={(event) => onChange({ ...params, image: event.currentTarget.value.trim() })}
      />
    </Stack>
  );
}

type RevisionFieldProps = Pick<ParamFieldsProps, "params" | "onChange"> & {
  revisions: NonNullable<ParamOffer["revisions"]>;
};

/** Offers only revisions whose ReplicaSets still exist in the cluster. */
function RevisionField({ revisions, params, onChange }: RevisionFieldProps) {
  const others = revisions.filter(({ current }) => !current);
  return (
    <NativeSelect
      label="Back to revision"
      description="Earlier revisions whose ReplicaSets still exist in the cluster."
      value={String(params.toRevision ?? "")}
      data={others.map(({ revision, images, stable }) => ({
        value: String(revision),
        label: `${revision}${stable ? " (stable)" : ""}: ${images.map(shortImage).join(", ") || "images unknown"}`,
      }))}
      data-autofocus
      onChange={(event) => onChange({ toRevision: Number(event.currentTarget.value) })}
    />
  );
}

/** Shortens an image for a select, which cannot wrap: the end of the reference tells versions apart. */
function shortImage(image: string): string {
  return image.slice(image.lastIndexOf("/") + 1);
}

type ParamOffer = Pick<AllowedAction, "action" | "revisions" | "containers">;

/** Returns the initial values of the fields. */
export function defaultParams({ action, revisions, containers }: ParamOffer): ActionParams {
  if (action === "undo") {
    const before = revisions?.find(({ current }) => !current);
    return before === undefined ? {} : { toRevision: before.revision };
  }
  const [first] = containers ?? [];
  return action === "set-image" && first !== undefined ? { container: first.name, image: first.image } : {};
}

/** Returns whether the server has enough to make a plan. */
export function areParamsComplete(
  action: AllowedAction["action"],
  { container = "", image = "" }: ActionParams,
): boolean {
  return action !== "set-image" || (container !== "" && image !== "");
}
