import { expect, it } from "vitest";
import { classifyEvent } from "#components/rollouts/classify-event.ts";

it.each([
  { kind: "pause", phase: "Paused", text: "Waits for a person at step 2 of 3", state: "waiting" },
  { kind: "pause", phase: "Paused", text: "Pauses at step 2 of 6: pause: 3s", state: "timed" },
  {
    kind: "pause",
    phase: "Paused",
    text: "Waits for a person at step 4 of 6: an analysis run is Inconclusive",
    state: "inconclusive",
  },
  { kind: "pause", phase: "Paused", text: "Waits before switching the active service", state: "waiting" },
  { kind: "pause", phase: "Paused", text: "Paused by a person (via kubectl)", state: "waiting" },
  { kind: "phase", phase: "Paused", text: "First seen: Paused: InconclusiveAnalysisRun", state: "inconclusive" },
  { kind: "phase", phase: "Paused", text: "Progressing to Paused", state: "timed" },
  { kind: "run", phase: "Paused", text: "Step analysis a-1 is Inconclusive", state: "inconclusive" },
  { kind: "run", phase: "Progressing", text: "Step analysis a-1 begins", state: undefined },
  { kind: "phase", phase: "Degraded", text: "Progressing to Degraded", state: "failed" },
  { kind: "phase", phase: "Progressing", text: "Promoted: revision 1 is stable", state: "successful" },
  { kind: "abort", phase: "Degraded", text: "Aborted", state: "failed" },
  { kind: "step", phase: "Progressing", text: "Step 1 of 6 completed", state: undefined },
])("$text", ({ state, ...event }) => {
  expect(classifyEvent(event)).toBe(state);
});
