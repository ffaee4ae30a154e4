import { afterAll, beforeAll } from "vitest";
import { type RealWorld, startRealWorld } from "./real-world.ts";
import { describeActions } from "./story-actions.ts";
import { describeChart } from "./story-chart.ts";
import { describeEvidence } from "./story-evidence.ts";
import { describeFlagger } from "./story-flagger.ts";
import { describeHold } from "./story-hold.ts";
import { describeInconclusive } from "./story-inconclusive.ts";
import { describeMeasurements } from "./story-measurements.ts";
import { describeOutages } from "./story-outages.ts";
import { describeOutside } from "./story-outside.ts";
import { describePerson } from "./story-person.ts";
import { describeStrategies } from "./story-strategies.ts";
import { describeToken } from "./story-token.ts";

let world: RealWorld | undefined;
beforeAll(async () => {
  world = await startRealWorld();
});
afterAll(() => world?.close());

function theWorld(): RealWorld {
  if (world === undefined) throw new Error("the world did not start");
  return world;
}

describeChart(theWorld);
describeToken(theWorld);
describeActions(theWorld);
describeInconclusive(theWorld);
describeHold(theWorld);
describeStrategies(theWorld);
describeOutside(theWorld);
describePerson(theWorld);
describeFlagger(theWorld);
describeEvidence(theWorld);
describeOutages(theWorld);
describeMeasurements(theWorld);
