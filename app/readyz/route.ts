import { answerReadiness } from "#lib/server/edge/http/probes.ts";

export const GET = answerReadiness;
