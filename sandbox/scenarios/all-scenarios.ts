import { blueGreen } from "./blue-green.ts";
import { experiment } from "./experiment.ts";
import { failed } from "./failed.ts";
import { flapping } from "./flapping.ts";
import { forced } from "./forced.ts";
import { gitOps } from "./git-ops.ts";
import { healthy } from "./healthy.ts";
import { history } from "./history.ts";
import { inconclusiveBackground } from "./inconclusive-background.ts";
import { inconclusiveInline } from "./inconclusive-inline.ts";
import { long } from "./long.ts";
import { ordinaryScenarios } from "./ordinary.ts";
import type { Scenario } from "./scenario-types.ts";
import { held, singleReplica } from "./single-replica.ts";
import { workloadRef } from "./workload-ref.ts";
import { zones } from "./zones.ts";

export const allScenarios: readonly Scenario[] = [
  healthy,
  inconclusiveInline,
  inconclusiveBackground,
  failed,
  history,
  flapping,
  long,
  forced,
  blueGreen,
  experiment,
  workloadRef,
  gitOps,
  singleReplica,
  held,
  ...ordinaryScenarios,
];

/** With those that only a demo with its history plays. */
export const everyScenario: readonly Scenario[] = [...allScenarios, ...zones];
