import { answerStatus } from "#lib/server/edge/http/probes.ts";

export const GET = answerStatus;
