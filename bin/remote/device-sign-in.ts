import { hostname, userInfo } from "node:os";
import { z } from "zod";
import { readLimited } from "#lib/util/read-limited.ts";
import { cleanText } from "../clean-text.ts";
import { CommandError } from "../command-line.ts";

const clientId = "gatehouse-cli";
const grantType = "urn:ietf:params:oauth:grant-type:device_code";
const answerMs = 30_000;
const maxAnswerBytes = 64 * 1024;
/** RFC 8628, section 3.5. */
const slowDownSeconds = 5;

const Started = z.object({
  device_code: z.string().min(1),
  user_code: z.string().min(1).max(100),
  verification_uri: z.string(),
  verification_uri_complete: z.string().optional(),
  expires_in: z.number().positive(),
  interval: z.number().positive().default(5),
});
type Started = z.infer<typeof Started>;

const Granted = z.object({ access_token: z.string().min(1) });
const Refused = z.object({ error: z.string(), error_description: z.string().optional() });

type Options = {
  url: string;
  /** Shows the person what to do. */
  tell(text: string): void;
  sleep(ms: number): Promise<void>;
  now(): number;
  deviceName?: string;
};

/**
 * Signs in through a browser (RFC 8628): tells the person where to go with which code, and waits until they have approved
 * there. Returns the token. Throws `CommandError` if it is refused or expires.
 */
export async function signInDevice({ url, tell, sleep, now, deviceName = nameDevice() }: Options): Promise<string> {
  const started = await start(url, deviceName);
  const until = now() + started.expires_in * 1000;
  tell(writePrompt(started));
  for (let seconds = started.interval; now() < until; ) {
    await sleep(seconds * 1000);
    const answer = await send(`${url}/api/auth/device/token`, {
      grant_type: grantType,
      device_code: started.device_code,
    }).catch(() => undefined);
    const granted = Granted.safeParse(answer?.body);
    if (answer?.status === 200 && granted.success) return granted.data.access_token;
    const refused = Refused.safeParse(answer?.body);
    // No answer, or a server that cannot answer now: the person may be about to approve.
    const isBusy = answer === undefined || answer.status === 429 || answer.status >= 500;
    const error = refused.success ? refused.data.error : "";
    if (isBusy || error === "slow_down") seconds += slowDownSeconds;
    else if (error === "access_denied") throw new CommandError(`not signed in: ${describeRefusal(answer?.body)}`);
    else if (error === "expired_token") break;
    else if (error !== "authorization_pending")
      throw new CommandError(`${url} gave an answer that is not one of a sign-in: ${describeRefusal(answer?.body)}`);
  }
  throw new CommandError("not signed in: the code was not approved in time");
}

async function start(url: string, deviceName: string): Promise<Started> {
  const answer = await send(`${url}/api/auth/device/code`, { device_name: deviceName }).catch(() => undefined);
  if (answer === undefined) throw new CommandError(`Gatehouse does not answer at ${url}`);
  const started = Started.safeParse(answer.body);
  if (answer.status === 200 && started.success) return started.data;
  if (answer.status === 404 || answer.status === 405)
    throw new CommandError(`${url} has no sign-in by browser: give a token with --with-token`);
  throw new CommandError(`${url} refused to begin a sign-in: ${describeRefusal(answer.body)}`);
}

async function send(address: string, fields: Record<string, string>): Promise<{ status: number; body: unknown }> {
  const response = await fetch(address, {
    method: "POST",
    // The device code is a secret: it goes nowhere else.
    redirect: "error",
    headers: { accept: "application/json" },
    body: new URLSearchParams({ client_id: clientId, ...fields }),
    signal: AbortSignal.timeout(answerMs),
  });
  const text = await readLimited(response.body, maxAnswerBytes);
  try {
    return { status: response.status, body: JSON.parse(text ?? "") };
  } catch {
    return { status: response.status, body: undefined };
  }
}

function writePrompt({ user_code, verification_uri, verification_uri_complete, expires_in }: Started): string {
  const minutes = Math.max(1, Math.floor(expires_in / 60));
  return [
    `Open ${cleanText(verification_uri_complete ?? verification_uri)}`,
    `and check that it shows the code ${cleanText(user_code)}. Waiting, at most ${minutes} min.`,
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function describeRefusal(body: unknown): string {
  const refused = Refused.safeParse(body);
  if (!refused.success) return "it did not say why";
  return cleanText(refused.data.error_description ?? refused.data.error);
}

/** Names this terminal to the person who approves it: `deploy@build-7`. */
function nameDevice(): string {
  let user = "somebody";
  try {
    user = userInfo().username;
  } catch {
    // The user of a container may have no name.
  }
  return `${user}@${hostname()}`.replaceAll(/\p{C}/gu, "").slice(0, 100);
}
