"use client";

import { ActionIcon, Anchor, Group, Text } from "@mantine/core";
import { useLocalStorage, useMounted } from "@mantine/hooks";
import { usePathname } from "next/navigation";
import { HoverLink } from "#components/ui/hover-link.tsx";
import { IconX } from "#components/ui/icons.tsx";
import { findNextStep, type StoryState, type StoryStep, storySteps } from "#demo/page/story.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import { useRollouts } from "#lib/client/rollout-queries.ts";

/**
 * Says which of the demo's decisions comes next, on the inbox and on the page of its rollout, until the person closes it
 * in this browser.
 */
export function StoryHint() {
  const pathname = usePathname();
  const [state, setState] = useLocalStorage({
    key: "gatehouse.story",
    defaultValue: "open",
    getInitialValueInEffect: false,
  });
  const isShown = useMounted() && state === "open";
  if (!isShown || (pathname !== "/inbox" && !storySteps.some((step) => pathname === rolloutHref(step)))) return null;
  return <Line pathname={pathname} onClose={() => setState("closed")} />;
}

function Line({ pathname, onClose }: { pathname: string; onClose: () => void }) {
  const { items } = useRollouts({});
  const state = items && findNextStep(items);
  const isNamed = state !== undefined && "step" in state && pathname === rolloutHref(state.step);
  if (pathname !== "/inbox" && !isNamed) return null;
  return (
    <Group component="section" aria-label="Next in the demo" gap="xs" mb="sm" mih={24} wrap="nowrap" align="flex-start">
      <Text size="sm" c="dimmed" lh="24px">
        {state !== undefined && <Words state={state} isHere={isNamed} />}
      </Text>
      {state !== undefined && (
        <ActionIcon variant="subtle" color="gray" size={24} aria-label="Close the demo's hints" onClick={onClose}>
          <IconX size={14} aria-hidden="true" />
        </ActionIcon>
      )}
    </Group>
  );
}

function Words({ state, isHere }: { state: StoryState; isHere: boolean }) {
  switch (state.is) {
    case "waiting": {
      const { step, place } = state;
      const begin = `Demo, ${place} of ${storySteps.length}:`;
      return isHere ? (
        <>
          {begin} {step.says} Decide here.
        </>
      ) : (
        <>
          {begin} in <StepLink step={step} />, {step.says}
        </>
      );
    }
    case "under-way":
      return <>Demo: nothing to decide right now. {isHere ? "It" : <StepLink step={state.step} />} is under way.</>;
    case "over":
      return (
        <>
          Demo: all {storySteps.length} are decided.{" "}
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
