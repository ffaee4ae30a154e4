import { z } from "zod";
import { Timestamp } from "#lib/contract/common.ts";

export const StoredTable = z.object({
  table: z.string(),
  rows: z.number().nullable().describe("PostgreSQL's own estimate; null before its first ANALYZE."),
  bytes: z.number().describe("With indexes and TOAST, all partitions."),
  indexBytes: z.number(),
  toastBytes: z.number(),
  partitions: z.number().int().describe("0 for a table that has none."),
  oldest: Timestamp.nullable(),
  newest: Timestamp.nullable(),
  timesFrom: z
    .string()
    .nullable()
    .describe("The source of oldest and newest: a column or the months of partitions; null without an index."),
  retention: z.string().nullable().describe("The configured age, such as 90d; null: rows are not deleted by age."),
  retentionKey: z.string().nullable().describe("Its key, such as retention.events."),
  rowsPerDay: z.number().nullable().describe("Over the last week at most; null without an index."),
  bytesPerDay: z.number().nullable().describe("rowsPerDay times the table's bytes per row."),
  problem: z.string().nullable().describe("What could not be read, and why."),
});
export type StoredTable = z.infer<typeof StoredTable>;

export const StorageQueue = z.object({
  name: z.string(),
  depth: z.number().int().nullable().describe("Null if it could not be read."),
  isAtLeast: z.boolean().describe("There are more than were counted."),
  problem: z.string().nullable(),
});
export type StorageQueue = z.infer<typeof StorageQueue>;

export const AdminStorage = z.object({
  at: Timestamp,
  databaseBytes: z.number().nullable(),
  tables: z.array(StoredTable).describe("Largest first."),
  bytesPerDay: z.number().nullable().describe("Of the tables whose growth is known."),
  growthKnownFor: z.number().describe("Their share of all bytes, 0 to 1."),
  limitBytes: z.number().nullable().describe("storageGigabytes of the config; null if it is not set."),
  daysLeft: z.number().nullable().describe("Until the limit at this rate; null if unknown, or without a limit."),
  retention: z.object({
    doneAt: Timestamp.nullable().describe("The last complete run."),
    outcome: z.string().nullable(),
    message: z.string().nullable(),
    removed: z
      .object({ seq: z.number().int(), at: Timestamp, rows: z.record(z.string(), z.number()) })
      .nullable()
      .describe("The rows removed by the last run that deleted any."),
    problem: z.string().nullable(),
  }),
  leases: z
    .object({
      sources: z.number().int(),
      expired: z.number().int(),
      holders: z.array(z.string()),
      upkeep: z.string().nullable(),
      problem: z.string().nullable(),
    })
    .describe("Which recorders hold the sources."),
  queues: z.array(StorageQueue),
});
export type AdminStorage = z.infer<typeof AdminStorage>;
