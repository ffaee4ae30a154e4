import { z } from "zod";
import { ActionParams, ActionSubject } from "#lib/contract/action.ts";

const Subject = ActionSubject.extend({ name: z.string().default("") });
const Stored = ActionParams.extend({ subject: Subject.nullish() });

/**
 * Reads the column `params` of an action or an approval: its parameters, and the run or Experiment that it is about.
 */
export function readStoredRequest({ params }: { params: unknown }): {
  params: ActionParams;
  subject: (z.infer<typeof Subject> & { name: string }) | null;
} {
  const { subject, ...rest } = Stored.catch({}).parse(params);
  return { params: rest, subject: subject ?? null };
}

export function storeRequest({
  params,
  subject,
}: {
  params: ActionParams;
  subject?: (ActionSubject & { name: string }) | undefined;
}): Record<string, unknown> {
  return { ...params, ...(subject === undefined ? {} : { subject }) };
}
