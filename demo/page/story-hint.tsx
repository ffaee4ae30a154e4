"use client";

import { ActionIcon, Anchor, Group, Text } from "@mantine/core";
import { useLocalStorage, useMounted } from "@mantine/hooks";
import { usePathname } from "next/navigation";
import { HoverLink } from "#components/ui/hover-link.tsx";
import { IconX } from "#components/ui/icons.tsx";
import { findNextStep, type StoryState, type StoryStep, storySteps } from "#demo/page/story.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import { useRollouts } from "#lib/client/rollout-queries.ts";

/** Says which of the demo's decisions comes next, until the person closes it in this browser. */
export function StoryHint() {
  const [state, setState] = useLocalStorage({
    key: "gatehouse.story",
    defaultValue: "open",
    getInitialValueInEffect: false,
  });
  return useMounted() && state === "open" ? <Line onClose={() => setState("closed")} /> : null;
}

function Line({ onClose }: { onClose: () => void }) {
  const { items } = useRollouts({});
  return (
    <Group component="section" aria-label="Next in the demo" gap="xs" mb="sm" mih={24} wrap="nowrap" align="flex-start">
      <Text size="sm" c="dimmed" lh="24px">
        {items !== undefined && <Words state={findNextStep(items)} />}
      </Text>
      <ActionIcon variant="subtle" color="gray" size={24} aria-label="Close the demo's hints" onClick={onClose}>
        <IconX size={14} aria-hidden="true" />
      </ActionIcon>
    </Group>
  );
}

function Words({ state }: { state: StoryState }) {
  const pathname = usePathname();
  switch (state.is) {
    case "waiting": {
      const { step, place } = state;
      return (
        <>
          {pathname === rolloutHref(step) ? (
            <>Decide here: {step.says}</>
          ) : (
            <>
              {place === 1 ? "Start with" : place === storySteps.length ? "Last," : "Next,"} <StepLink step={step} />:{" "}
              {step.says}
            </>
          )}{" "}
          <Text span size="xs" ml={4}>
            {place} of {storySteps.length}
          </Text>
        </>
      );
    }
    case "under-way":
      return (
        <>
          Nothing to decide right now: <StepLink step={state.step} /> is under way.
        </>
      );
    case "over":
      return (
        <>
          All {storySteps.length} are decided.{" "}
          <Anchor component={HoverLink} href="/audit" inherit>
            The audit log
          </Anchor>{" "}
          has each decision with its evidence.
        </>
      );
  }
}

function StepLink({ step }: { step: StoryStep }) {
  return (
    <Anchor component={HoverLink} href={rolloutHref(step)} inherit>
      {step.namespace}/{step.name}
    </Anchor>
  );
}
