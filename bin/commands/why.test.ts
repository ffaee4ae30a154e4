import { expect, it } from "vitest";
import answers from "#lib/contract/examples/answers.json" with { type: "json" };
import { RolloutDetail } from "#lib/contract/rollout.ts";
import { explainRollout } from "./why.ts";

const rollout = RolloutDetail.parse(answers.getRollout);
const [metric] = rollout.evidence;
if (metric === undefined) throw new Error("the example has no metric");

it("shows what the source of a metric noted, without control characters", () => {
  const noted = { group: "eu-west\u001b[2J", "job-name": "0190f3a0.check.1" };
  const text = explainRollout({ ...rollout, evidence: [{ ...metric, metadata: noted }] }, 0);
  expect(text).toMatch(/^METRIC +NOTED +TEXT$/m);
  expect(text).toMatch(/^checkout +group +eu-west\ufffd\[2J$/m);
  expect(text).toMatch(/^checkout +job-name +0190f3a0\.check\.1$/m);
});

it("shows no table without notes", () => {
  expect(explainRollout(rollout, 0)).not.toContain("NOTED");
});
