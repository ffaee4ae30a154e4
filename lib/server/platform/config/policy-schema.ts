import { z } from "zod";
import { Role } from "#lib/contract/common.ts";
import { type Evidence, makeEvidence } from "#lib/domain/audit/audit-entry.ts";
import { explainBadStart } from "#lib/domain/policy/freeze.ts";
import { explainBadPattern } from "#lib/domain/policy/ticket-pattern.ts";
import { parseDurationMs } from "#lib/util/duration.ts";
import { parseJson } from "#lib/util/json.ts";
import { webhookFields } from "./webhook-schema.ts";

/** `*` matches any run of characters, `?` one. */
const atLeastOne = "name at least one pattern, or leave it out for all";
const patterns = z.array(z.string().min(1)).min(1, atLeastOne);
const all = () => patterns.default(["*"]);

/** A name, or a kind and a name: `Canary/shop-*`. */
const rolloutPattern = z
  .string()
  .regex(/^(?:[^/]+\/)?[^/]+$/, "a name such as shop-*, or a kind and a name such as Canary/shop-*");

/** The scope of a binding or a policy; absent fields match everything. */
export const scopeFields = {
  clusters: all(),
  namespaces: all(),
  rollouts: z.array(rolloutPattern).min(1, atLeastOne).default(["*"]),
};
/** Names of actions, patterns allowed; if absent, all actions. */
const actionPatterns = all();

const name = z.string().min(1).max(100);

/** `observe`: decides nothing; the audit entries of actions say what it would have decided. */
const mode = z.enum(["enforce", "observe"]).default("enforce");

/** A person waits for the answer, and the rollout may change meanwhile. */
const longestCheckMs = 2000;

/** The system that is asked at the click, and told the outcome. */
const TicketCheck = z.strictObject({
  ...webhookFields,
  timeoutMs: z
    .number()
    .int()
    .min(100, "at least 100 ms, for the way there and back")
    .max(longestCheckMs, `at most ${longestCheckMs}: a person waits for the answer`)
    .default(longestCheckMs),
});
export type TicketCheck = z.infer<typeof TicketCheck>;

/** A ticket that the reason of an advancing action must name. */
const TicketConfig = z.strictObject({
  name,
  pattern: z.string().superRefine((pattern, context) => {
    const bad = explainBadPattern(pattern);
    if (bad !== undefined) context.addIssue({ code: "custom", message: `${JSON.stringify(pattern)}: ${bad}` });
  }),
  check: TicketCheck.optional(),
});

const ReasonRule = z
  .strictObject({
    ...scopeFields,
    mode,
    actions: actionPatterns,
    required: z.boolean(),
    ticket: TicketConfig.optional(),
  })
  .refine(({ required, ticket }) => required || ticket === undefined, {
    path: ["required"],
    message: "a ticket is part of a reason: say required: true, or leave out ticket",
  });

const FreezeWindow = z
  .strictObject({
    ...scopeFields,
    mode,
    name,
    start: z.string(),
    timeZone: z.string().default("UTC"),
    duration: z.string(),
    actions: actionPatterns,
    includeProtective: z.boolean().default(false),
    /** A release window: actions are refused outside of its times instead. */
    outside: z.boolean().default(false),
  })
  .superRefine((window, context) => {
    const bad = explainBadStart(window);
    if (bad !== undefined)
      context.addIssue({ code: "custom", path: [bad.includes("time zone") ? "timeZone" : "start"], message: bad });
    if (minutesOf(window.duration) === undefined)
      context.addIssue({
        code: "custom",
        path: ["duration"],
        message: `"${window.duration}" is no duration from 1m to 8760h, such as 62h`,
      });
  });

const mostApprovers = 10;
const approverCount = `a whole number from 1 to ${mostApprovers}: how many people besides the requester must approve`;
const noGroup = "name at least one group, or leave it out for all who have the right to the action";

const SecondPersonRule = z.strictObject({
  ...scopeFields,
  mode,
  name,
  actions: actionPatterns,
  includeProtective: z.boolean().default(false),
  approvers: z
    .number(approverCount)
    .int(approverCount)
    .min(1, approverCount)
    .max(mostApprovers, approverCount)
    .default(1),
  /** Each approver must be in one of these; if absent, all who have the right to the action may approve. */
  groups: z.array(z.string().min(1, "a name cannot be empty").max(200)).min(1, noGroup).max(20).optional(),
  /** By default, a robot cannot request a second person: the holder of its token might also be the one who approves. */
  robotsMayAsk: z.boolean().default(false),
  expireMinutes: z
    .number()
    .int()
    .min(1)
    .max(7 * 24 * 60)
    .default(60),
});

export const PolicyConfig = z
  .strictObject({
    reasons: z.array(ReasonRule).default([]),
    freezes: z.array(FreezeWindow).default([]),
    secondPerson: z.array(SecondPersonRule).default([]),
  })
  .superRefine(({ reasons, freezes }, context) => {
    const tickets = reasons.map(({ ticket }) => ticket?.name);
    for (const [index, ticket] of tickets.entries()) {
      if (ticket === undefined || tickets.indexOf(ticket) === index) continue;
      const message = `"${ticket}" is named twice: refusals, checks and outcomes name the ticket's rule`;
      context.addIssue({ code: "custom", path: ["reasons", index, "ticket", "name"], message });
    }
    for (const [index, { name, outside }] of freezes.entries()) {
      // Two freezes of one name have always been accepted.
      if (!outside || freezes.every((other, at) => at === index || other.name !== name)) continue;
      const message = `"${name}" is named twice: a refusal names the release windows that are closed`;
      context.addIssue({ code: "custom", path: ["freezes", index, "name"], message });
    }
  });
export type PolicyConfig = z.infer<typeof PolicyConfig>;

/** Returns undefined for text that is not a duration of whole minutes within a year. */
export function minutesOf(duration: string): number | undefined {
  const minutes = (parseDurationMs(duration) ?? Number.NaN) / 60_000;
  return minutes >= 1 && minutes <= 366 * 24 * 60 ? minutes : undefined;
}

/** A name is never empty: an empty one would match no one or, if a claim is empty too, the wrong people. */
const boundName = z.string().min(1, "a name cannot be empty");
const boundNames = z.array(boundName).default([]);

/**
 * Gives a role everywhere or within a scope: to people by group, user name or subject (of `auth.oidc`), to robots by
 * name, and to API tokens by id. People without a matching binding may not sign in. `breakGlass` is the right to act
 * during a freeze. `agentsMayAct`: agents carry out the protective actions by themselves.
 */
export const RoleBinding = z
  .strictObject({
    role: Role,
    groups: boundNames,
    users: boundNames,
    subjects: boundNames,
    robots: boundNames,
    tokens: z.array(boundName.toLowerCase()).default([]),
    ...scopeFields,
    actions: actionPatterns,
    breakGlass: z.boolean().default(false),
    agentsMayAct: z.boolean().default(false),
  })
  .refine(({ role, agentsMayAct }) => role !== "viewer" || !agentsMayAct, {
    path: ["agentsMayAct"],
    message: "a viewer does not act: give the role operator, or leave it out",
  })
  .refine(
    ({ groups, users, subjects, robots, tokens }) =>
      [groups, users, subjects, robots, tokens].some((list) => list.length > 0),
    { message: "name at least one group, user, subject, robot or token" },
  );
export type RoleBinding = z.infer<typeof RoleBinding>;

const known = new WeakMap<PolicyConfig, Evidence>();

/**
 * Makes the evidence of the policies in force, defaults included: the same object for the same config. Evidence is kept
 * for ever, so it has no addresses of systems that are asked about tickets.
 */
export function policiesEvidenceOf(policies: PolicyConfig): Evidence {
  const evidence = known.get(policies) ?? makeEvidence({ ...policies, reasons: policies.reasons.map(withoutCheck) });
  known.set(policies, evidence);
  return evidence;
}

function withoutCheck({ ticket, ...rule }: PolicyConfig["reasons"][number]) {
  return ticket === undefined ? rule : { ...rule, ticket: { name: ticket.name, pattern: ticket.pattern } };
}

/** Parses such evidence; undefined if this version does not know policies of this form. */
export function parsePoliciesEvidence(content: string): PolicyConfig | undefined {
  return PolicyConfig.safeParse(parseJson(content)).data;
}
