import { describe, expect, it } from "vitest";
import { formatAbort, parseAbortMessage } from "./words.ts";

describe("formatAbort", () => {
  const update = "RolloutAborted: Rollout aborted update to revision 2";

  it.each([
    ["", "Aborted"],
    [update, "Aborted"],
    [
      `${update}: Step-based analysis phase error/failed: Metric "ok" assessed Failed due to failed (1) > failureLimit (0)`,
      "Aborted by the controller: ok failed once (0 allowed)",
    ],
    [
      `${update}: Blue/green post-promotion analysis phase error/failed: Metric "error-rate" assessed Failed due to failed (2) > failureLimit (1)`,
      "Aborted by the controller: error-rate failed 2 times (1 allowed)",
    ],
    [
      `${update}: Step-based analysis phase error/failed: Metric "ok" assessed Error due to consecutiveErrors (3) > consecutiveErrorLimit (2): "Error Message: received non 2xx response code: 500"`,
      'Aborted by the controller: ok had an error 3 times (2 allowed): "Error Message: received non 2xx response code: 500"',
    ],
    [
      `${update}: ReplicaSet "a" has timed out progressing.`,
      'Aborted by the controller: ReplicaSet "a" has timed out progressing.',
    ],
    ["RolloutAborted: too slow", "Aborted: RolloutAborted: too slow"],
  ])("%j", (message, said) => {
    expect(formatAbort(message)).toBe(said);
  });
});

describe("parseAbortMessage", () => {
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
});
