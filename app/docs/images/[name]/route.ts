import { answerDocImage } from "#lib/server/http/answer-doc-image.ts";

export const GET = answerDocImage;
