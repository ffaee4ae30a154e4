import { answerMetrics } from "#lib/server/http/probes.ts";

export const GET = answerMetrics;
