import type { z } from "zod";
import type { DeploymentReport } from "#lib/domain/notify/notifiable-event.ts";

/** Sends one request to a code host. Throws unless it is answered with 2xx and in this form. */
export type Ask = <Body>(
  request: { method: "GET" | "POST" | "PUT"; path: string; body?: unknown },
  answer: z.ZodType<Body>,
) => Promise<Body>;

/** `key`: of the deployment, the same for all of its states. */
export type Reporting = DeploymentReport & { key: string; description: string; link: string };
