import { encode } from "next-auth/jwt";

/** The Cookie header of a browser that holds this session, as a sign-in over http sets it. */
export async function encodeSessionCookie({
  sessionId,
  secret,
}: {
  sessionId: string;
  secret: string;
}): Promise<string> {
  return `gatehouse.session=${await encode({ token: { sid: sessionId }, secret })}`;
}
