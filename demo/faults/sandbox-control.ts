import { readFile } from "node:fs/promises";
import type { PlayFaultRequest } from "#lib/contract/sandbox-faults.ts";
import { faultsNeedFlag, SandboxFaults } from "#lib/contract/sandbox-faults.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { parseJson } from "#lib/util/json.ts";

/** Address of the control endpoint of the demo's cluster, and the token for it. */
export type SandboxControl = { server: string; tokenFile: string };

const answerWithinMs = 5_000;

/** Reads which faults are on, and which exist. */
export async function readFaults(control: SandboxControl): Promise<SandboxFaults> {
  const parsed = SandboxFaults.safeParse(await ask(control, { method: "GET" }));
  if (parsed.success) return parsed.data;
  throw new ServiceError("unavailable", "The demo's cluster gave an invalid answer about its faults.");
}

/** Switches a fault on, or off with `none`. Throws `invalid_request` with the cluster's own message if it refuses. */
export async function setFault(control: SandboxControl, fault: PlayFaultRequest): Promise<void> {
  await ask(control, { method: "POST", body: JSON.stringify(fault) });
}

async function ask(control: SandboxControl, init: RequestInit): Promise<unknown> {
  const { status, text } = await send(control, init).catch((cause: unknown) => {
    throw new ServiceError("unavailable", "The demo's cluster does not answer: check that its process is running.", {
      cause,
    });
  });
  const answer = parseJson(text);
  if (status === 200) return answer;
  const message = messageOf(answer);
  if (status === 400) throw new ServiceError("invalid_request", message ?? "The demo's cluster rejected the request.");
  if (status === 404) throw new ServiceError("not_found", faultsNeedFlag);
  throw new ServiceError("unavailable", `The demo's cluster answers ${status}${message ? `: ${message}` : ""}.`);
}

async function send({ server, tokenFile }: SandboxControl, init: RequestInit) {
  const token = (await readFile(tokenFile, "utf8")).trim();
  const answer = await fetch(new URL("/_sandbox/faults", server), {
    ...init,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(answerWithinMs),
  });
  return { status: answer.status, text: await answer.text() };
}

function messageOf(value: unknown): string | undefined {
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string"
    ? value.message.slice(0, 2000)
    : undefined;
}
