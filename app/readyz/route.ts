import { answerReadiness } from "#lib/server/http/probes.ts";

export const GET = answerReadiness;
