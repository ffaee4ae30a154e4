import { z } from "zod";
import alerts from "./alertmanager-alerts.json" with { type: "json" };
import customCdEvent from "./cdevents-custom.json" with { type: "json" };
import cdEvent from "./cdevents-service.json" with { type: "json" };
import gitHub from "./github-deployments.json" with { type: "json" };
import gitLab from "./gitlab-deployments.json" with { type: "json" };
import pagerDuty from "./pagerduty-event.json" with { type: "json" };
import teams from "./teams-card.json" with { type: "json" };

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

/** What these services accept, as JSON Schemas written from their public documentation, or published. */
const schemas = {
  pagerDuty: z.fromJSONSchema(pagerDuty as JsonSchema),
  alerts: z.fromJSONSchema(alerts as JsonSchema),
  teams: z.fromJSONSchema(teams as JsonSchema),
  cdEvent: z.fromJSONSchema(cdEvent as JsonSchema),
  customCdEvent: z.fromJSONSchema(customCdEvent as JsonSchema),
  /** By kind of body: `deployment`, `status`. */
  gitHub: z.fromJSONSchema(gitHub as JsonSchema),
  /** By kind of body: `deployment`, `change`, `environment`. */
  gitLab: z.fromJSONSchema(gitLab as JsonSchema),
};

/** Returns what a service would refuse in a body, with the place of each. */
export function listFaults(service: keyof typeof schemas, body: unknown): string[] {
  const result = schemas[service].safeParse(body);
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}
