import { z } from "zod";
import type { ApiContext } from "./api-context.ts";
import { ApiError, badRequest } from "./api-error.ts";
import { type Exchange, readBody, sendJson } from "./exchange.ts";
import { FAULT_VERBS, FAULT_WAYS, FAULTS } from "./faults.ts";
import { findResource, RESOURCES } from "./resources.ts";

export const CONTROL_PREFIX = "/_sandbox/";

export type ControlHooks = {
  /** Starts the scenarios. */
  onStart?: () => void;
  /** Maps each scenario key to its object's location. */
  scenarios?: () => Record<string, string>;
  /** Whether faults may be switched on. */
  hasFaults: boolean;
};

const FaultBody = z
  .strictObject({
    fault: z.enum([...FAULTS, "none"]),
    resource: z
      .string()
      .refine((plural) => findResource(plural) !== undefined)
      .optional(),
    namespace: z.string().min(1).max(253).optional(),
    verb: z.enum(FAULT_VERBS).optional(),
    seconds: z.number().positive().max(86_400).optional(),
    how: z.string().optional(),
    rate: z.number().positive().max(100).optional(),
    offsetSeconds: z.number().min(-86_400).max(86_400).optional(),
  })
  .refine(({ fault, how }) => how === undefined || (fault !== "none" && FAULT_WAYS[fault]?.includes(how) === true), {
    path: ["how"],
  })
  .refine(({ fault, rate }) => rate === undefined || fault === "drop", { path: ["rate"] })
  .refine(({ fault, offsetSeconds }) => offsetSeconds === undefined || fault === "skew", { path: ["offsetSeconds"] });

/** Serves the sandbox's own endpoints, which require the cluster token. */
export async function serveControl(context: ApiContext, hooks: ControlHooks, exchange: Exchange): Promise<void> {
  const { user, info } = exchange;
  if (!user.groups.includes("system:masters")) {
    const message = `forbidden: User "${user.name}" cannot ${info.verb} path "${info.path}": the cluster token is needed`;
    throw new ApiError({ code: 403, reason: "Forbidden", message, details: {} });
  }
  const call = `${exchange.req.method} ${info.path}`;
  switch (call) {
    case "POST /_sandbox/start":
      hooks.onStart?.();
      return sendJson(exchange, 200, JSON.stringify({ started: true }));
    case "GET /_sandbox/scenarios":
      return sendJson(exchange, 200, JSON.stringify(hooks.scenarios?.() ?? {}));
    case "GET /_sandbox/faults":
      requireFaults(hooks);
      return sendJson(exchange, 200, JSON.stringify(faultsOf(context)));
    case "POST /_sandbox/faults": {
      requireFaults(hooks);
      const body = parseFault(await readBody(exchange.req));
      context.faults.set(body);
      return sendJson(exchange, 200, JSON.stringify({ active: context.faults.list() }));
    }
    default:
      throw noSuchControl(call);
  }
}

/** Returns the active faults, and those that can be switched on, with their ways. */
function faultsOf(context: ApiContext) {
  return { active: context.faults.list(), faults: [...FAULTS, "none"], ways: FAULT_WAYS, verbs: FAULT_VERBS };
}

function requireFaults(hooks: ControlHooks): void {
  if (hooks.hasFaults) return;
  const message = "faults are off: start the sandbox with --faults to switch them on";
  throw new ApiError({ code: 404, reason: "NotFound", message });
}

function noSuchControl(call: string): ApiError {
  const known = "POST /_sandbox/start, GET /_sandbox/scenarios, GET and POST /_sandbox/faults";
  return new ApiError({ code: 404, reason: "NotFound", message: `no control endpoint ${call}; there are ${known}` });
}

function parseFault(text: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest(`the body is no JSON; ${allowed()}`);
  }
  const parsed = FaultBody.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.code === "unrecognized_keys" ? issue.keys.join(", ") : (issue?.path.join(".") ?? "");
  throw badRequest(`invalid fault request${where === "" ? "" : ` at ${where}`}; ${allowed()}`);
}

function allowed(): string {
  const faults = [...FAULTS, "none"].join(", ");
  const resources = RESOURCES.map((resource) => resource.plural).join(", ");
  const ways = Object.entries(FAULT_WAYS).map(([fault, names]) => `${names.join(", ")} for ${fault}`);
  return [
    `allowed are fault: one of ${faults}`,
    `resource (optional): one of ${resources}`,
    "namespace (optional)",
    `verb (optional): one of ${FAULT_VERBS.join(", ")}`,
    "seconds (optional): above 0 up to 86400",
    `how (optional): one of ${ways.join("; ")}`,
    "rate (optional, drop only): cuts per second and watch, above 0 up to 100",
    "offsetSeconds (optional, skew only): -86400 to 86400",
  ].join("; ");
}
