import { z } from "zod";
import { Timestamp } from "#lib/contract/common.ts";

export const ConfigEntry = z.object({
  path: z.string().describe("Such as clusters[0].staleAfterSeconds."),
  value: z.string().describe("As YAML, with secrets masked."),
  origin: z
    .enum(["file", "default", "start"])
    .describe("start: the file has another value, which takes effect at the next start."),
  line: z.number().int().nullable().describe("Line of the file; null for a default."),
  note: z.string().nullable().describe("For a named environment variable: whether this process has it."),
});
export type ConfigEntry = z.infer<typeof ConfigEntry>;

export const ConfigChange = z.object({
  path: z.string(),
  before: z.string().nullable().describe("Null if the key is new."),
  after: z.string().nullable().describe("Null if the key is gone."),
});
export type ConfigChange = z.infer<typeof ConfigChange>;

/** The config as it is in force in the web process that answers. */
export const AdminConfig = z.object({
  file: z.string(),
  digest: z.string(),
  loadedAt: Timestamp,
  needsRestart: z.array(z.string()),
  entries: z.array(ConfigEntry),
  yaml: z.string().describe("The same as one YAML text, defaults included, secrets masked."),
  environment: z.array(
    z.object({ name: z.string(), value: z.string().nullable().describe("Null if it is not set."), note: z.string() }),
  ),
  pending: z
    .object({
      state: z.enum(["held", "error"]),
      since: Timestamp,
      error: z.string(),
      changes: z.array(ConfigChange).nullable().describe("The changes in the held file; null if it has an error."),
    })
    .nullable(),
});
export type AdminConfig = z.infer<typeof AdminConfig>;
