import { failed } from "./failed.ts";
import { flapping } from "./flapping.ts";
import { forced } from "./forced.ts";
import { healthy } from "./healthy.ts";
import { history } from "./history.ts";
import { inconclusiveBackground } from "./inconclusive-background.ts";
import { inconclusiveInline } from "./inconclusive-inline.ts";
import { long } from "./long.ts";
import { ordinaryScenarios } from "./ordinary.ts";
import type { Scenario } from "./scenario-types.ts";

export const allScenarios: readonly Scenario[] = [
  healthy,
  inconclusiveInline,
  inconclusiveBackground,
  failed,
  history,
  flapping,
  long,
  forced,
  ...ordinaryScenarios,
];
