import { z } from "zod";
import { Timestamp } from "#lib/contract/common.ts";

/** Who set a part of the config that an admin may set in the interface. */
export const settingOrigin = {
  source: z
    .enum(["file", "interface"])
    .describe("file: the config sets this, so it can only be changed there, and the stored value does not count."),
  changedBy: z.string().nullable(),
  changedAt: Timestamp.nullable().describe("Of the stored value; null if it was never set."),
};

/** A part of a request that replaces such a value. */
export const settingSeen = {
  changedAt: Timestamp.nullable().describe("As it was read. Refused if the value was changed since."),
};

const Origin = z.object(settingOrigin);
export type SettingOrigin = z.infer<typeof Origin>;
