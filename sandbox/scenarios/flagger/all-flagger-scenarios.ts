import { flaggerHalted, flaggerPrimaryFails143, flaggerPrimaryFails144, flaggerSwallowed } from "./flagger-failures.ts";
import { flaggerPromotion, flaggerStart, flaggerTrafficGate } from "./flagger-gates.ts";
import { flaggerHealthy } from "./flagger-healthy.ts";
import type { FlaggerScenario } from "./flagger-scenario-types.ts";

export const allFlaggerScenarios: readonly FlaggerScenario[] = [
  flaggerHealthy,
  flaggerStart,
  flaggerTrafficGate,
  flaggerPromotion,
  flaggerHalted,
  flaggerPrimaryFails143,
  flaggerPrimaryFails144,
  flaggerSwallowed,
];
