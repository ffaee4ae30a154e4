import { expect, it } from "vitest";
import { parseAbortMessage } from "./parse-abort-message.ts";

it.each([
  { message: "Rollout aborted update to revision 2", abort: { cause: undefined } },
  { message: "RolloutAborted: Rollout aborted update to revision 12", abort: { cause: undefined } },
  {
    message: 'Rollout aborted update to revision 2: ReplicaSet "a" has timed out progressing.',
    abort: { cause: 'ReplicaSet "a" has timed out progressing.' },
  },
  {
    message: 'RolloutAborted: Rollout aborted update to revision 2: Metric "ok" assessed Error:\nline two',
    abort: { cause: 'Metric "ok" assessed Error:\nline two' },
  },
  { message: "", abort: undefined },
  { message: "RolloutAborted: too slow", abort: undefined },
  { message: "somebody said: Rollout aborted update to revision 2", abort: undefined },
  { message: "Rollout aborted update to revision 2, at 50 %", abort: undefined },
])("$message", ({ message, abort }) => {
  expect(parseAbortMessage(message)).toEqual(abort);
});
