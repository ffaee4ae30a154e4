import type { FlaggerScenario } from "./flagger-scenario-types.ts";
import {
  flaggerHalted,
  flaggerHealthy,
  flaggerPrimaryFails143,
  flaggerPrimaryFails144,
  flaggerPromotion,
  flaggerStart,
  flaggerSwallowed,
  flaggerTrafficGate,
} from "./flagger-scenarios.ts";

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
