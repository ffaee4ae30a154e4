import { answerStatus } from "#lib/server/http/probes.ts";

export const GET = answerStatus;
