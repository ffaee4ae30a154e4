import { answerMetrics } from "#lib/server/edge/http/probes.ts";

export const GET = answerMetrics;
