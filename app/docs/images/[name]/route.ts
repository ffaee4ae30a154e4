import { answerDocImage } from "#lib/server/edge/http/answer-doc-image.ts";

export const GET = answerDocImage;
