import { Button, Group, NativeSelect, NumberInput, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { FormError } from "#components/ui/dialog-parts.tsx";
import { describeFault, faultResources, orderFaults, suggestSeconds } from "#demo/page/fault-catalogue.ts";
import { usePlayFault } from "#demo/page/fault-queries.ts";
import classes from "#demo/page/faults.module.css";
import type { PlayFaultRequest, SandboxFaults } from "#lib/contract/sandbox-faults.ts";

const longestSeconds = 3600;

/** Selects a fault, and shows beside the selection what it plays and what should happen then. */
export function FaultForm({ faults, ways }: Pick<SandboxFaults, "faults" | "ways">) {
  const known = orderFaults(faults);
  const [fault, setFault] = useState(known[0] ?? "");
  const [how, setHow] = useState("");
  const [resource, setResource] = useState("rollouts");
  const [namespace, setNamespace] = useState("");
  const [seconds, setSeconds] = useState<number | string>(suggestSeconds(fault));
  const play = usePlayFault();
  const options = ways[fault] ?? [];
  const chosenHow = how === "" ? options[0] : how;
  const words = describeFault(fault, chosenHow);
  const isTimeValid = typeof seconds === "number" && seconds >= 1 && seconds <= longestSeconds;

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    if (!isTimeValid) return;
    const body: PlayFaultRequest = {
      fault,
      seconds: Math.round(seconds),
      ...(resource === "" ? {} : { resource }),
      ...(namespace.trim() === "" ? {} : { namespace: namespace.trim() }),
      ...(chosenHow === undefined ? {} : { how: chosenHow }),
    };
    play.mutate(body);
  }

  return (
    <Paper withBorder className={classes.panel}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Group grow align="flex-start" gap="sm">
            <NativeSelect
              label="Fault"
              data={known.map((name) => ({ value: name, label: `${describeFault(name).label} (${name})` }))}
              value={fault}
              onChange={({ currentTarget: { value } }) => {
                setFault(value);
                setHow("");
                setSeconds(suggestSeconds(value));
              }}
            />
            {options.length > 0 && (
              <NativeSelect
                label="How"
                data={[...options]}
                value={chosenHow ?? ""}
                onChange={(event) => setHow(event.currentTarget.value)}
              />
            )}
          </Group>
          <div className={classes.explained} role="status">
            <Text size="sm">{words.plays}</Text>
            <Text size="sm" c="dimmed">
              {words.rule === "" ? "" : `Shows ${words.rule}: `}
              {words.expect}
            </Text>
          </div>
          <Group grow align="flex-start" gap="sm">
            <NativeSelect
              label="Resource"
              data={[{ value: "", label: "all" }, ...faultResources]}
              value={resource}
              onChange={(event) => setResource(event.currentTarget.value)}
            />
            <NumberInput
              label="Seconds"
              min={1}
              max={longestSeconds}
              allowDecimal={false}
              value={seconds}
              onChange={setSeconds}
              error={isTimeValid ? undefined : `Between 1 and ${longestSeconds}.`}
            />
          </Group>
          <TextInput
            label="Namespace"
            description="Empty: everywhere. The demo's recorder watches all namespaces at once, so a namespace only affects reads and actions in it."
            maxLength={253}
            value={namespace}
            onChange={(event) => setNamespace(event.currentTarget.value)}
          />
          <FormError title="Fault not started" error={play.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={play.isPending}>
              Play {words.label.toLowerCase()}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
